import { ALARM_KINDS, ALARM_LEVELS } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { AlarmLevel } from '../../../shared/ui/alarm-level.tsx';
import { useAlarmRights } from '../use-alarm-rights.ts';
import { alarmsPath } from './paths.ts';

interface Figure {
  key: string;
  label: ReactNode;
  count: number | undefined;
  to: string;
  /** worth a look as soon as there is one */
  urgent?: boolean;
}

/** How many alarms are open, how grave they are, and of what kind; suppressed ones apart. */
export function AlarmFigures() {
  const { t } = useTranslation('home');
  const { t: alarms } = useTranslation('alarms');
  const { data } = useQuery(queryOf('summarizeAlarms', { query: {} }, { quiet: true }));
  const counted = { suppressed: 'false' };
  const figures: Figure[] = [
    { key: 'open', label: t('openAlarms'), count: data?.total, to: alarmsPath(counted) },
    {
      key: 'unacknowledged',
      label: t('unacknowledged'),
      count: data?.unacknowledged,
      to: alarmsPath({ ...counted, acknowledged: 'false' }),
      urgent: true,
    },
    ...[...ALARM_LEVELS].reverse().map((level) => ({
      key: level,
      label: <AlarmLevel level={level} />,
      count: data?.byLevel[level],
      to: alarmsPath({ ...counted, level }),
      urgent: level === 'CA',
    })),
    ...ALARM_KINDS.map((kind) => ({
      key: `kind ${kind}`,
      label: alarms(`kinds.${kind}`),
      count: data?.byKind[kind],
      to: alarmsPath({ ...counted, kind }),
    })),
    {
      key: 'suppressed',
      label: alarms('suppressed'),
      count: data?.suppressed,
      to: alarmsPath({ suppressed: 'true' }),
    },
  ];
  return (
    <nav className="figures" aria-label={t('openAlarms')}>
      {figures.map((figure) => (
        <FigureLink key={figure.key} figure={figure} />
      ))}
    </nav>
  );
}

function FigureLink({ figure: { label, count, to, urgent = false } }: { figure: Figure }) {
  const { list } = useAlarmRights();
  const content = (
    <>
      <span className="figure-label">{label}</span>
      <span className="figure-count">{count === undefined ? '·' : count.toLocaleString('en-US')}</span>
    </>
  );
  const look = { className: 'figure', 'data-none': count === 0, 'data-urgent': urgent && (count ?? 0) > 0 };
  return list ? (
    <Link {...look} to={to}>
      {content}
    </Link>
  ) : (
    <div {...look}>{content}</div>
  );
}
