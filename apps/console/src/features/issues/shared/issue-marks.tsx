import { formatTime, ISSUE_PRIORITIES, type IssuePriority, type IssueStatus } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../../shared/hooks/use-now.ts';
import { useLabelNames } from '../../../shared/i18n/use-label-names.ts';
import { AlarmLevel } from '../../../shared/ui/tags/alarm-level.tsx';
import type { Glyph } from '../../../shared/ui/tags/status-glyph.tsx';
import { Tag, type Tone } from '../../../shared/ui/tags/tag.tsx';
import { Dash } from '../../../shared/ui/values/time-ago.tsx';
import css from './issue-marks.module.css';
import { LEVEL_OF } from './issue-names.ts';

const LOOKS: Record<IssueStatus, { tone: Tone; glyph: Glyph }> = {
  open: { tone: 'firmware-update', glyph: 'ring' },
  pending: { tone: 'working', glyph: 'half' },
  closed: { tone: 'idle', glyph: 'check' },
  reopen: { tone: 'faulted', glyph: 'flag' },
};

/** The status of an issue. */
export function IssueStatusTag({ status }: { status: IssueStatus }) {
  const { t } = useTranslation('issues');
  return <Tag {...LOOKS[status]}>{t(`status.${status}`)}</Tag>;
}

/** The priority of an issue, in the form of the alarm level of the same name. */
export function IssuePriorityMark({ priority }: { priority: IssuePriority }) {
  const { t } = useTranslation('issues');
  const level = LEVEL_OF[priority];
  return <AlarmLevel level={level} title={t('priorityOf', { name: t(`priority.${level}`) })} />;
}

/** The due date of an issue, to the minute; an overdue one is marked. */
export function IssueDue({ issue }: { issue: { dueAt: string | null; status: IssueStatus } }) {
  const { t } = useTranslation('issues');
  const now = useNow();
  if (issue.dueAt === null) return <Dash />;
  const overdue = issue.status !== 'closed' && Date.parse(issue.dueAt) < now;
  const due = (
    <time dateTime={issue.dueAt} className="exact-time no-break">
      {formatTime(issue.dueAt).slice(0, 'yyyy-MM-dd HH:mm'.length)}
    </time>
  );
  if (!overdue) return due;
  return (
    <span className={css.overdue}>
      {due} <strong>{t('overdue')}</strong>
    </span>
  );
}

/** The labels of an issue. */
export function IssueLabels({ labels }: { labels: readonly string[] }) {
  const { nameOf } = useLabelNames();
  if (labels.length === 0) return null;
  return (
    <span className={css.labels}>
      {labels.map((label) => (
        <span key={label} className={css.label}>
          {nameOf(label)}
        </span>
      ))}
    </span>
  );
}

/** The priorities as options of a field, the most urgent first. */
export function usePriorityOptions() {
  return Object.values(ISSUE_PRIORITIES)
    .toReversed()
    .map((value) => ({ value, label: <IssuePriorityMark priority={value} /> }));
}
