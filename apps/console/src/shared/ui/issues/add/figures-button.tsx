import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../../../lib/browser/load-chunk.ts';
import { AddToIssue } from './add-to-issue.tsx';
import type { Figures } from './figures.ts';
import { useAddsToIssues } from './use-adds-to-issues.ts';

export interface FiguresButtonProps {
  /** the name of the chart */
  name: string;
  /** undefined while there is nothing to add */
  figures: (() => Figures) | undefined;
  deviceId?: number;
  siteId?: number;
}

/** Adds the figures of a chart to an issue, as they are shown when the button is clicked: as a picture and as a table. */
export default function FiguresButton({ name, figures, deviceId, siteId }: FiguresButtonProps) {
  const { t } = useTranslation();
  const mayAdd = useAddsToIssues();
  const [frozen, setFrozen] = useState<{ figures: Figures; at: number } | null>(null);
  if (!mayAdd) return null;
  return (
    <>
      <button
        type="button"
        className="text-button"
        disabled={figures === undefined}
        aria-label={t('issue.addOf', { name })}
        onClick={() => figures && setFrozen({ figures: figures(), at: Date.now() })}
      >
        {t('issue.add')}
      </button>
      {frozen && (
        <AddToIssue
          name={frozen.figures.title}
          {...{ deviceId, siteId }}
          prepare={async (issueId, signal) => {
            const { figureNodes } = await loadChunk(() => import('./figure-nodes.ts'));
            return await figureNodes(frozen.figures, frozen.at, issueId, signal);
          }}
          onClose={() => setFrozen(null)}
        />
      )}
    </>
  );
}
