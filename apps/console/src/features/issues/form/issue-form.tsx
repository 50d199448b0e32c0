import type { IssueDetail } from '@chargehand/contract';
import {
  type DocumentContent,
  EMPTY_CONTENT,
  type IssuePriority,
  type IssueType,
  isEmptyContent,
} from '@chargehand/domain';
import { Form, Input, Select } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormPanel } from '../../../shared/ui/form-page/form-panel.tsx';
import { TimeField } from '../../../shared/ui/times/time-field.tsx';
import { usePriorityOptions } from '../shared/issue-marks.tsx';
import { useTypeOptions } from '../shared/issue-names.ts';
import type { IssueReaders } from '../shared/issue-readers.ts';
import { IssueUserSelect } from '../shared/issue-user-select.tsx';
import { LabelInput } from '../shared/label-input.tsx';
import { TextField } from '../text/text-field.tsx';
import { readersOf, type Subject } from './issue-subject.ts';
import { WatchersField } from './watchers-field.tsx';

/** The fields of the form. */
interface Values {
  /** chosen in the form of a new issue, unless the page was opened for one */
  subject?: Subject | null;
  title: string;
  type: IssueType;
  priority: IssuePriority;
  occurredAt: string | null;
  dueAt: string | null;
  assigneeId: number | null;
  labels: string[];
  /** of a new issue */
  watcherIds?: number[];
}

/** What the form saves. */
export interface EnteredIssue extends Values {
  /** undefined: not changed */
  body: DocumentContent | undefined;
}

interface Props {
  /** the issue that is edited */
  issue?: IssueDetail;
  initial: Values;
  /** fields before the title */
  subject?: ReactNode;
  /** who can see the new issue, unless it follows from the subject that is chosen in the form */
  readers?: IssueReaders | null | undefined;
  saves: string;
  /** Saves and returns the path to open. @throws ApiProblem */
  onSave(entered: EnteredIssue): Promise<string>;
}

/** The form of an issue. */
export function IssueForm({ issue, initial, subject, readers: given, saves, onSave }: Props) {
  const { t } = useTranslation('issue');
  const { t: issues } = useTranslation('issues');
  const [form] = Form.useForm<Values>();
  const chosen = Form.useWatch('subject', form);
  const ofSubject = given ?? (chosen ? readersOf(chosen) : null);
  const readers: IssueReaders | null = issue ? { kind: 'issue', id: issue.id } : ofSubject;
  const types = useTypeOptions();
  const priorities = usePriorityOptions();
  const [body, setBody] = useState<DocumentContent>();
  const [uploading, setUploading] = useState(false);
  const changed = body !== undefined && (issue?.body !== null || !isEmptyContent(body));
  return (
    <FormPanel<Values>
      form={form}
      label={t(issue ? 'form.edit' : 'form.add')}
      initialValues={initial}
      saves={saves}
      disabled={uploading}
      edited={changed}
      onSave={(values) => onSave({ ...values, title: values.title.trim(), body: changed ? body : undefined })}
    >
      {subject}
      <Form.Item
        name="title"
        label={issues('title')}
        className="form-wide"
        rules={[{ required: true, whitespace: true, message: t('form.titleMissing') }]}
      >
        <Input maxLength={200} placeholder={t('form.titleHint')} />
      </Form.Item>
      <Form.Item name="type" label={issues('typeLabel')}>
        <Select<IssueType> options={types} />
      </Form.Item>
      <Form.Item name="priority" label={issues('priorityLabel')}>
        <Select<IssuePriority> options={priorities} />
      </Form.Item>
      <Form.Item label={t('form.text')} className="form-wide">
        <TextField
          issueId={issue?.id ?? null}
          readers={readers}
          label={t('form.text')}
          placeholder={t('form.textHint')}
          initial={issue?.body ?? EMPTY_CONTENT}
          onChange={setBody}
          onUploading={setUploading}
        />
      </Form.Item>
      <Form.Item name="occurredAt" label={t('field.occurredAt')} extra={issue ? undefined : t('form.occurredHint')}>
        <Time />
      </Form.Item>
      <Form.Item name="dueAt" label={t('field.dueAt')}>
        <Time />
      </Form.Item>
      <Form.Item name="assigneeId" label={t('field.assigneeId')}>
        <Assignee readers={readers} knownAs={issue?.assignee?.name} />
      </Form.Item>
      {!issue && (
        <Form.Item name="watcherIds" label={t('watch.watchers')} extra={t('form.watchersExtra')}>
          <WatchersField readers={readers} />
        </Form.Item>
      )}
      <Form.Item name="labels" label={t('field.labels')}>
        <LabelInput />
      </Form.Item>
    </FormPanel>
  );
}

/** The assignee in a form item, which passes the other props. */
function Assignee(props: {
  readers: IssueReaders | null;
  knownAs: string | undefined;
  id?: string;
  value?: number | null;
  onChange?(id: number | null): void;
}) {
  const { onChange, ...rest } = props;
  return <IssueUserSelect {...rest} value={rest.value ?? null} onChange={(id) => onChange?.(id)} />;
}

/** A time in a form item, which passes the other props. */
function Time(props: { id?: string; value?: string | null; onChange?(value: string | null): void }) {
  return (
    <TimeField
      {...(props.id !== undefined && { id: props.id })}
      value={props.value}
      onChange={(value) => props.onChange?.(value)}
    />
  );
}
