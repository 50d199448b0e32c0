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
import { LabelInput } from '../shared/label-input.tsx';
import { TextField } from '../text/text-field.tsx';
import type { Subject } from './issue-subject.ts';

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
  /** the field for the assignee, which gets `value` and `onChange` of the form */
  assignee: ReactNode;
  saves: string;
  /** Saves and returns the path to open. @throws ApiProblem */
  onSave(entered: EnteredIssue): Promise<string>;
}

/** The form of an issue. */
export function IssueForm({ issue, initial, subject, assignee, saves, onSave }: Props) {
  const { t } = useTranslation('issue');
  const { t: issues } = useTranslation('issues');
  const [form] = Form.useForm<Values>();
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
        {assignee}
      </Form.Item>
      <Form.Item name="labels" label={t('field.labels')}>
        <LabelInput />
      </Form.Item>
    </FormPanel>
  );
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
