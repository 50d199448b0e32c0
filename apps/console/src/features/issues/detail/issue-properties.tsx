import type { IssueDetail } from '@chargehand/contract';
import type { IssuePriority } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type InputOf } from '../../../shared/api/client.ts';
import { queryClient, queryOf, refresh } from '../../../shared/api/query.ts';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';
import { TimeField } from '../../../shared/ui/times/time-field.tsx';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { CHANGED_QUERIES } from '../shared/changed-queries.ts';
import { IssueDue, IssueLabels, IssuePriorityMark, usePriorityOptions } from '../shared/issue-marks.tsx';
import { IssueUserSelect } from '../shared/issue-user-select.tsx';
import { LabelInput } from '../shared/label-input.tsx';
import css from './detail.module.css';

type Change = Omit<InputOf<'updateIssue'>['body'], 'revision'>;

/** The properties of an issue that change during work. Each is saved when it is changed. */
export function IssueProperties({ issue }: { issue: IssueDetail }) {
  return issue.may.edit && issue.mergedInto === null ? <Editable issue={issue} /> : <Shown issue={issue} />;
}

function Shown({ issue }: { issue: IssueDetail }) {
  const { t } = useTranslation('issue');
  return (
    <Describe
      items={[
        { key: 'assignee', label: t('field.assigneeId'), value: issue.assignee?.name ?? t('noAssignee') },
        { key: 'priority', label: t('field.priority'), value: <IssuePriorityMark priority={issue.priority} /> },
        { key: 'due', label: t('field.dueAt'), value: <IssueDue issue={issue} /> },
        {
          key: 'labels',
          label: t('field.labels'),
          value: issue.labels.length > 0 && <IssueLabels labels={issue.labels} />,
        },
      ].map((item) => ({ ...item, value: item.value === false ? null : item.value }))}
    />
  );
}

function Editable({ issue }: { issue: IssueDetail }) {
  const { t } = useTranslation('issue');
  const id = useId();
  const params = { id: issue.id };
  const priorities = usePriorityOptions();
  const [assignee, setAssignee] = useState<{ id: number | null } | null>(null);
  const save = useMutation({
    // One after the other: each needs the revision that the one before it made.
    scope: { id: `issue-${issue.id}` },
    mutationFn: (body: Change) => {
      const { revision } = queryClient.getQueryData(queryOf('readIssue', { params }).queryKey) ?? issue;
      return call('updateIssue', { params, body: { ...body, revision } }, { quiet: true });
    },
    onSettled: async () => {
      // Also after a refusal: the fields show what is stored.
      await refresh(...CHANGED_QUERIES);
      setAssignee(null);
    },
  });
  const saving = (name: keyof Change) => save.isPending && save.variables !== undefined && name in save.variables;
  const shown = <K extends keyof Change>(name: K, stored: NonNullable<Change[K]> | null) =>
    saving(name) ? (save.variables?.[name] ?? null) : stored;
  const chosen = assignee ? assignee.id : (issue.assignee?.id ?? null);
  return (
    <div className={css.properties} aria-busy={save.isPending}>
      <div>
        <label htmlFor={`${id}-assignee`}>{t('field.assigneeId')}</label>
        <IssueUserSelect
          id={`${id}-assignee`}
          readers={{ kind: 'issue', id: issue.id }}
          value={chosen}
          knownAs={issue.assignee?.name}
          onChange={(assigneeId) => {
            setAssignee({ id: assigneeId });
            save.mutate({ assigneeId });
          }}
        />
      </div>
      <div>
        <label htmlFor={`${id}-priority`}>{t('field.priority')}</label>
        <Select<IssuePriority>
          id={`${id}-priority`}
          value={shown('priority', issue.priority) as IssuePriority}
          options={priorities}
          onChange={(priority) => save.mutate({ priority })}
        />
      </div>
      <div>
        <label htmlFor={`${id}-due`}>{t('field.dueAt')}</label>
        <TimeField
          id={`${id}-due`}
          value={shown('dueAt', issue.dueAt)}
          onChange={(dueAt) => dueAt !== issue.dueAt && save.mutate({ dueAt })}
        />
      </div>
      <div>
        <label htmlFor={`${id}-labels`}>{t('field.labels')}</label>
        <LabelInput
          id={`${id}-labels`}
          value={shown('labels', issue.labels) ?? []}
          onChange={(labels) => save.mutate({ labels })}
        />
      </div>
      <ErrorNote text={save.error?.message} />
    </div>
  );
}
