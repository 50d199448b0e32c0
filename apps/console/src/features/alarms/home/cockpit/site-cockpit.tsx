import { SLOW_POLL_MS } from '@chargehand/contract/constants';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryOf } from '../../../../shared/api/query.ts';
import { FigureSkeleton } from '../../../../shared/ui/figures/figure-card.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { Incidents } from './incidents.tsx';
import { KeyFigureRow } from './key-figures.tsx';

/** The cockpit of one site: its figures, what is wrong there, and then the rest of its overview. */
export default function SiteCockpit({ siteId, children }: { siteId: number; children: ReactNode }) {
  const query = { siteId };
  const figures = useQuery({
    ...queryOf('readKeyFigures', { query }, { quiet: true }),
    refetchInterval: SLOW_POLL_MS,
  });
  const incidents = useQuery(queryOf('listIncidents', { query: { ...query, limit: 10 } }, { quiet: true }));
  if (figures.isPending || incidents.isPending) {
    return (
      <div className="stack">
        <FigureSkeleton />
        <SkeletonRows rows={10} />
      </div>
    );
  }
  return (
    <div className="stack">
      <KeyFigureRow figures={figures} siteId={siteId} />
      <Incidents incidents={incidents} siteId={siteId} />
      {children}
    </div>
  );
}
