import type { AlarmSummary } from '@chargehand/contract';
import { ALARM_KINDS, ALARM_LEVELS } from '@chargehand/domain';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AlarmLevel } from '../../../../shared/ui/tags/alarm-level.tsx';
import { useAlarmRights } from '../../use-alarm-rights.ts';
import css from '../home.module.css';
import { alarmsPath } from '../paths.ts';

interface Figure {
  key: string;
  label: ReactNode;
  count: number | undefined;
  to: string;
  /** highlighted when it is not 0 */
  urgent?: boolean;
}

/** The numbers of open alarms, by level and by kind, with suppressed ones listed separately. */
export function AlarmFigures({ summary: data }: { summary: AlarmSummary | undefined }) {
  const { t } = useTranslation('home');
  const { t: alarms } = useTranslation('alarms');
  const counted = { suppressed: 'false' };
  const totals: Figure[] = [
    { key: 'open', label: t('openAlarms'), count: data?.total, to: alarmsPath(counted) },
    {
      key: 'unacknowledged',
      label: t('unacknowledged'),
      count: data?.unacknowledged,
      to: alarmsPath({ ...counted, acknowledged: 'false' }),
      urgent: true,
    },
    {
      key: 'suppressed',
      label: alarms('suppressed'),
      count: data?.suppressed,
      to: alarmsPath({ suppressed: 'true' }),
    },
  ];
  const levels: Figure[] = [...ALARM_LEVELS].reverse().map((level) => ({
    key: level,
    label: <AlarmLevel level={level} />,
    count: data?.byLevel[level],
    to: alarmsPath({ ...counted, level }),
    urgent: level === 'CA',
  }));
  const kinds: Figure[] = ALARM_KINDS.map((kind) => ({
    key: kind,
    label: alarms(`kinds.${kind}`),
    count: data?.byKind[kind],
    to: alarmsPath({ ...counted, kind }),
  }));
  return (
    <nav className="home-figures" aria-label={t('openAlarms')}>
      <Figures figures={totals} />
      <Figures figures={levels} title={t('byLevel')} caption={t('captions.level')} />
      <Figures figures={kinds} title={t('byKind')} caption={t('captions.kind')} />
    </nav>
  );
}

/** A group of figures. With a title, they add up to the open alarms; the caption is its visible short form. */
function Figures({ figures, title, caption }: { figures: readonly Figure[]; title?: string; caption?: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form
    <div role="group" aria-label={title} title={title}>
      {caption !== undefined && (
        <span className={css.homeFiguresCaption} aria-hidden="true">
          {caption}
        </span>
      )}
      {figures.map((figure) => (
        <FigureLink key={figure.key} figure={figure} />
      ))}
    </div>
  );
}

function FigureLink({ figure: { label, count, to, urgent = false } }: { figure: Figure }) {
  const { list } = useAlarmRights();
  const content = (
    <>
      <span className={css.homeFigureLabel}>{label}</span>
      <span className={css.homeFigureCount}>{count === undefined ? '·' : count.toLocaleString('en-US')}</span>
    </>
  );
  const look = { className: 'home-figure', 'data-none': count === 0, 'data-urgent': urgent && (count ?? 0) > 0 };
  return list ? (
    <Link {...look} to={to}>
      {content}
    </Link>
  ) : (
    <div {...look}>{content}</div>
  );
}
