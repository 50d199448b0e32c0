import type { IssueEntry } from '@chargehand/contract';
import type { IssuePriority, IssueType } from '@chargehand/domain';
import { formatTime } from '@chargehand/domain';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useEndNames } from '../../../../shared/i18n/use-end-names.ts';
import { useLabelNames } from '../../../../shared/i18n/use-label-names.ts';
import { useCommandWords } from '../../shared/command-words.ts';
import { IssuePriorityMark } from '../../shared/issue-marks.tsx';
import { issuePath } from '../../shared/issue-paths.ts';
import css from './timeline.module.css';

/** What an event says, after the name of the user who caused it. */
export function EventText({ entry }: { entry: IssueEntry }) {
  const { t } = useTranslation('issue');
  const { event } = entry;
  const data = entry.data ?? {};
  switch (event) {
    case 'created':
      return t(`event.created.${originOf(data.origin)}`);
    case 'edited':
      return <Edited data={data} />;
    case 'started':
    case 'reopened':
      return t(`event.${event}`);
    case 'closed':
      return <Closed data={data} />;
    case 'linked':
      return (
        <>
          {t(data.kind === 'duplicate' ? 'event.linkedDuplicate' : 'event.linkedCause')}{' '}
          <OtherIssue issue={entry.otherIssue} />
        </>
      );
    case 'unlinked':
      return (
        <>
          {t('event.unlinked')} <OtherIssue issue={entry.otherIssue} />
        </>
      );
    case 'merged':
    case 'mergedHere':
    case 'unmerged':
    case 'unmergedHere':
      return (
        <>
          {t(`event.${event}`)} <OtherIssue issue={entry.otherIssue} />
        </>
      );
    case 'alarmRaised':
    case 'alarmCleared':
      return (
        <>
          {t(`event.${event}`)} <code>{textOf(data.code)}</code>
        </>
      );
    case 'commandEnded':
      return <CommandEnded data={data} />;
    case 'firmwareChanged':
      return t('event.firmwareChanged', {
        before: textOf(data.before) || t('noValue'),
        after: textOf(data.after) || t('noValue'),
      });
    default:
      return t('event.unknown');
  }
}

type Data = Record<string, unknown>;

const ORIGINS = ['customer', 'site', 'device', 'alarm', 'execution'] as const;

function originOf(value: unknown): (typeof ORIGINS)[number] | 'other' {
  return ORIGINS.find((one) => one === value) ?? 'other';
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The issue that an event is about, without a name for readers who may not see it. */
function OtherIssue({ issue }: { issue: IssueEntry['otherIssue'] }) {
  const { t } = useTranslation('issue');
  return issue ? <Link to={issuePath(issue.id)}>{`${issue.key} ${issue.title}`}</Link> : t('event.otherIssue');
}

function Closed({ data }: { data: Data }) {
  const { t } = useTranslation('issue');
  const { t: issues } = useTranslation('issues');
  const { causes, remedies } = useEndNames();
  const lines = [
    { label: issues('end.cause'), value: causes.nameOf(textOf(data.cause)), text: textOf(data.causeText) },
    { label: issues('end.remedy'), value: remedies.nameOf(textOf(data.remedy)), text: textOf(data.remedyText) },
  ];
  return (
    <>
      {t('event.closed')}
      <ul className={css.changes}>
        {lines.map(({ label, value, text }) => (
          <li key={label}>
            {t('pair', { label, value })}
            {text && <p className={css.words}>{text}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}

function CommandEnded({ data }: { data: Data }) {
  const { t } = useTranslation('issue');
  const { nameOf, resultOf } = useCommandWords();
  return t('event.commandEnded', { name: nameOf(textOf(data.kind)), result: resultOf(Number(data.result)) });
}

function Edited({ data }: { data: Data }) {
  const { t } = useTranslation('issue');
  const after = (data.after ?? {}) as Data;
  const before = (data.before ?? {}) as Data;
  const changes = Object.keys(after).flatMap((name) => {
    const field = FIELDS.find((one) => one === name);
    return field === undefined ? [] : [{ field, before: before[name], after: after[name] }];
  });
  return (
    <>
      {t('event.edited')}
      <ul className={css.changes}>
        {changes.map((change) => (
          <li key={change.field}>
            {t('pair', { label: t(`field.${change.field}`), value: '' })}
            <Change {...change} assignee={data.assignee} />
          </li>
        ))}
        {data.body === true && <li>{t('event.body')}</li>}
      </ul>
    </>
  );
}

const FIELDS = ['title', 'type', 'priority', 'occurredAt', 'assigneeId', 'dueAt', 'labels'] as const;
type Field = (typeof FIELDS)[number];

function Change(props: { field: Field; before: unknown; after: unknown; assignee: unknown }) {
  const { t } = useTranslation('issue');
  const { field, before, after, assignee } = props;
  const shown = useShown();
  // Only the new assignee's name is kept.
  if (field === 'assigneeId') return after === null ? t('noAssignee') : textOf(assignee);
  return (
    <>
      {shown(field, before)} <span aria-hidden="true">→</span>
      <span className="visually-hidden">{t('becomes')}</span> {shown(field, after)}
    </>
  );
}

function useShown(): (field: Field, value: unknown) => ReactNode {
  const { t } = useTranslation('issue');
  const { t: issues } = useTranslation('issues');
  const { nameOf } = useLabelNames();
  return (field, value) => {
    if (value === null || value === undefined || value === '') return t('noValue');
    switch (field) {
      case 'type':
        return issues(`type.${value as IssueType}`);
      case 'priority':
        return <IssuePriorityMark priority={value as IssuePriority} />;
      case 'occurredAt':
      case 'dueAt':
        return formatTime(String(value));
      case 'labels':
        return Array.isArray(value) && value.length > 0
          ? value.map((label) => nameOf(String(label))).join(', ')
          : t('noValue');
      default:
        return textOf(value);
    }
  };
}
