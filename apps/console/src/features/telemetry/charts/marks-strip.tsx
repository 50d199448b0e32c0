import { formatTime } from '@chargehand/domain';
import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { groupMarks, type Mark, type MarkGroup } from '../chart-data/chart-marks.ts';
import type { Edges } from '../chart-data/chart-window.ts';
import { useItemNames } from '../use-item-names.ts';
import type { PlotArea } from './chart-options.ts';
import css from './charts.module.css';

interface Props {
  marks: readonly Mark[];
  edges: Edges;
  area: PlotArea;
  /** for several devices: each mark names its device */
  several: boolean;
}

/** Events above the time axis: a triangle for alarms, a dot for commands, a square for restarts. Hover or focus shows details. */
export function MarksStrip({ marks, edges, area, several }: Props) {
  const { t } = useTranslation('telemetry');
  const describe = useMarkText(several);
  const groups = groupMarks(marks, edges, area.width);
  if (groups.length === 0) return null;
  return (
    <ul
      className={css.chartMarks}
      aria-label={t('marks.title')}
      style={{ marginInlineStart: area.left, width: area.width }}
    >
      {groups.map((group) => {
        const lines = group.marks.map(describe);
        return (
          <li key={group.left} style={{ insetInlineStart: `${group.left * 100}%` }}>
            <Tooltip title={<MarkLines lines={lines} />} trigger={['hover', 'focus']}>
              <button type="button" className={css.chartMark} data-level={gravest(group)} aria-label={lines.join('; ')}>
                <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
                  {SHAPES[shapeOf(group)]}
                </svg>
                {group.marks.length > 1 && <span aria-hidden="true">{group.marks.length}</span>}
              </button>
            </Tooltip>
          </li>
        );
      })}
    </ul>
  );
}

const SHAPES = {
  alarm: <path d="M6 1 11.5 11H.5z" />,
  restart: <path d="M2 2h8v8H2z" />,
  command: <circle cx="6" cy="6" r="4.5" />,
};

/** The shape of a group: alarms matter most, then restarts. */
function shapeOf(group: MarkGroup): keyof typeof SHAPES {
  if (gravest(group)) return 'alarm';
  return group.marks.some((mark) => 'restart' in mark) ? 'restart' : 'command';
}

/** Maximum number of lines in a tooltip. */
const MOST_LINES = 8;

function MarkLines({ lines }: { lines: readonly string[] }) {
  const { t } = useTranslation('telemetry');
  return (
    <>
      {lines.slice(0, MOST_LINES).map((line) => (
        <div key={line}>{line}</div>
      ))}
      {lines.length > MOST_LINES && <div>{t('marks.further', { count: lines.length - MOST_LINES })}</div>}
    </>
  );
}

/** The highest level of the alarms in a group; undefined when there are only commands. */
function gravest({ marks }: MarkGroup): string | undefined {
  const levels = marks.flatMap((mark) => ('alarm' in mark ? [mark.alarm.level] : []));
  return ['CA', 'MA', 'OA'].find((level) => levels.some((one) => one === level));
}

/** A mark in one line: time, text, connector, result. */
function useMarkText(several: boolean): (mark: Mark) => string {
  const { t } = useTranslation('telemetry');
  const { t: common } = useTranslation();
  const { t: operations } = useTranslation('operations');
  const locale = useLocale();
  const { connectorOf } = useItemNames();
  return (mark) => {
    const { connector } = 'alarm' in mark ? mark.alarm : 'command' in mark ? mark.command : { connector: 0 };
    const where = [
      ...(several ? [mark.device.name] : []),
      ...(connector === 0 ? [] : [connectorOf(connector, mark.device.protocol)]),
    ];
    const parts =
      'alarm' in mark
        ? [
            common(`alarmLevel.${mark.alarm.level}`),
            (locale === 'zh-CN' ? mark.alarm.nameZh : mark.alarm.nameEn) ?? mark.alarm.code,
            ...where,
            mark.to === null ? t('marks.active') : t('marks.until', { time: formatTime(mark.to) }),
          ]
        : 'restart' in mark
          ? [t('marks.restart'), ...where]
          : [
              operations(`kinds.${mark.command.kind}.do`),
              ...where,
              common(`executionResult.${RESULTS[mark.command.result] ?? 'waiting'}`),
              mark.command.requestedBy,
            ];
    return `${formatTime(mark.at)} ${parts.join(' · ')}`;
  };
}

/** The results of spec §4 by number. */
const RESULTS = [undefined, 'waiting', 'success', 'failure', 'timeout', 'offline'] as const;
