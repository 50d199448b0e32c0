import type { IssuePriority } from '@chargehand/domain';
import { Checkbox, Select } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../shared/api/client.ts';
import type { BulkDialogProps } from '../../../../shared/ui/list/bulk-action.ts';
import BulkDialog from '../../../../shared/ui/list/bulk-dialog.tsx';
import { TimeField } from '../../../../shared/ui/times/time-field.tsx';
import { CHANGED_QUERIES } from '../../shared/changed-queries.ts';
import { usePriorityOptions } from '../../shared/issue-marks.tsx';
import { IssueUserSelect } from '../../shared/issue-user-select.tsx';
import { LabelInput } from '../../shared/label-input.tsx';
import css from '../issues.module.css';

/** The changes of all selected issues; a missing one stays as it is in each issue. */
interface Changes {
  assigneeId?: number | null;
  priority?: IssuePriority;
  dueAt?: string | null;
  labels?: string[];
}
const FIELDS = ['assigneeId', 'priority', 'dueAt', 'labels'] as const;
/** What a field changes when it is checked. */
const FIRST: Required<Changes> = { assigneeId: null, priority: 0, dueAt: null, labels: [] };

/** Changes assignee, priority, due date and labels of the selected issues. Only checked fields are changed. */
export default function EditSelected({ selection, onClose }: BulkDialogProps) {
  const { t } = useTranslation('issues');
  const [changes, setChanges] = useState<Changes>({});
  const [firstId = 0] = selection.names.keys();
  const [issueId] = useState(firstId);
  const priorities = usePriorityOptions();
  const set = <K extends keyof Changes>(name: K, value: Changes[K]) => setChanges({ ...changes, [name]: value });
  const turn = (name: (typeof FIELDS)[number], on: boolean) => {
    const { [name]: _, ...others } = changes;
    setChanges(on ? { ...others, [name]: FIRST[name] } : others);
  };
  const fields: Record<(typeof FIELDS)[number], (label: string) => ReactNode> = {
    assigneeId: (label) => (
      <IssueUserSelect
        readers={{ kind: 'issue', id: issueId }}
        label={label}
        value={changes.assigneeId}
        onChange={(id) => set('assigneeId', id)}
      />
    ),
    priority: (label) => (
      <Select<IssuePriority>
        aria-label={label}
        value={changes.priority}
        options={priorities}
        onChange={(value) => set('priority', value)}
      />
    ),
    dueAt: (label) => <TimeField label={label} value={changes.dueAt} onChange={(at) => set('dueAt', at)} />,
    labels: (label) => (
      <LabelInput label={label} value={changes.labels ?? []} onChange={(labels) => set('labels', labels)} />
    ),
  };
  const complete = Object.keys(changes).length > 0 && changes.labels?.length !== 0;
  return (
    <BulkDialog
      selection={selection}
      onClose={onClose}
      complete={complete}
      action={{
        key: 'edit',
        label: t('bulk.edit'),
        text: t('bulk.editText'),
        refreshes: CHANGED_QUERIES,
        run: (ids) => call('updateIssues', { body: { ids, ...changes } }, { quiet: true }),
      }}
    >
      <div className={css.fields}>
        {FIELDS.map((name) => (
          <Field key={name} label={t(`bulk.${name}`)} checked={name in changes} onCheck={(on) => turn(name, on)}>
            {name in changes ? fields[name](t(`bulk.${name}`)) : <span className="quiet">{t('bulk.unchanged')}</span>}
          </Field>
        ))}
      </div>
      {changes.dueAt === null && <p className="quiet">{t('bulk.noDue')}</p>}
      {changes.assigneeId === null && <p className="quiet">{t('bulk.noAssignee')}</p>}
    </BulkDialog>
  );
}

function Field(props: { label: string; checked: boolean; onCheck(checked: boolean): void; children: ReactNode }) {
  const id = useId();
  return (
    <>
      <Checkbox id={id} checked={props.checked} onChange={(event) => props.onCheck(event.target.checked)}>
        {props.label}
      </Checkbox>
      <div>{props.children}</div>
    </>
  );
}
