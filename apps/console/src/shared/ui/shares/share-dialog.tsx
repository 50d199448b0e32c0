import type { ShareRow } from '@chargehand/contract';
import { SHARE_DAYS, type ShareDays } from '@chargehand/domain';
import { Checkbox, Form, Input, InputNumber, Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client.ts';
import { refresh } from '../../api/query.ts';
import { useSave } from '../../hooks/use-save.ts';
import { Dialog } from '../dialogs/dialog.tsx';
import { ErrorNote } from '../states/error-note.tsx';
import { AccessField } from './access-field.tsx';
import { IssuePreview } from './issue-preview.tsx';
import { ShareLink } from './share-link.tsx';
import { bytesOf, SizeLimitField } from './size-limit-field.tsx';

/** What is shared, or where files are requested. */
export interface ShareObject {
  kind: 'attachment' | 'folder' | 'issue';
  id: number;
  name: string;
}

interface Values {
  /** 0: permanent */
  days: ShareDays | 0;
  code: boolean;
  /** of an issue */
  comments: boolean;
  /** of an issue: with the comments from before */
  earlier: boolean;
  recipient: string;
  note: string;
  useLimit: number | null;
  /** of an upload request, in MB */
  byteLimit: number | null;
}

interface Props {
  object: ShareObject;
  /** asks outsiders for files instead of giving them some; only for folders */
  upload?: boolean;
  onClose(): void;
}

/** Shares a file, folder or issue, or asks for files, and then shows the link with its code. */
export function ShareDialog({ object, upload = false, onClose }: Props) {
  const { t } = useTranslation('shares');
  const [created, setCreated] = useState<ShareRow | null>(null);
  const title = upload ? t('dialog.request', { name: object.name }) : t('dialog.title', { name: object.name });
  if (!created)
    return <Fields title={title} object={object} upload={upload} onCreated={setCreated} onClose={onClose} />;
  return (
    <Dialog title={title} footer={null} onCancel={onClose} width={520}>
      <ShareLink share={created} />
    </Dialog>
  );
}

interface FieldsProps extends Required<Omit<Props, 'onClose'>> {
  title: string;
  onCreated(share: ShareRow): void;
  onClose(): void;
}

function Fields({ title, object, upload, onCreated, onClose }: FieldsProps) {
  const { t } = useTranslation('shares');
  const { t: common } = useTranslation();
  const [form] = Form.useForm<Values>();
  const isIssue = object.kind === 'issue';
  const initial: Values = {
    ...{
      days: 7,
      code: true,
      comments: false,
      earlier: false,
      recipient: '',
      note: '',
      useLimit: null,
      byteLimit: null,
    },
  };
  const { save, problem } = useSave(
    form,
    ({ days, byteLimit, useLimit, comments, earlier, ...values }) => {
      const params = { id: object.id };
      const shared = { ...values, days: days === 0 ? null : days };
      if (isIssue) return call('shareIssue', { params, body: { ...shared, comments, earlier } }, { quiet: true });
      const body = { ...shared, useLimit };
      if (upload) {
        const sized = { ...body, byteLimit: bytesOf(byteLimit ?? null) };
        return call('requestUploads', { params, body: sized }, { quiet: true });
      }
      return call(object.kind === 'folder' ? 'shareFolder' : 'shareFile', { params, body }, { quiet: true });
    },
    (share) => {
      void refresh('listShares');
      onCreated(share);
    },
  );
  return (
    <Dialog
      title={title}
      okText={t('dialog.create')}
      cancelText={common('cancel')}
      pending={save.isPending}
      onOk={form.submit}
      onCancel={onClose}
      width={520}
    >
      <Form
        form={form}
        className="form"
        layout="vertical"
        initialValues={initial}
        onFinish={(values) => save.mutate(values)}
      >
        <Form.Item name="days" label={t('validity')}>
          <Radio.Group
            options={[
              ...SHARE_DAYS.map((value) => ({ value, label: t('days', { count: value }) })),
              { value: 0, label: t('permanent') },
            ]}
          />
        </Form.Item>
        <Form.Item name="code" valuePropName="checked" extra={t('codeHint')}>
          <Checkbox>{t('withCode')}</Checkbox>
        </Form.Item>
        {isIssue ? (
          <>
            <AccessField hint={t('access.hint')} />
            <Form.Item name="earlier" valuePropName="checked">
              <Checkbox>{t('access.earlier')}</Checkbox>
            </Form.Item>
            <Form.Item noStyle dependencies={['earlier']}>
              {() => <IssuePreview issueId={object.id} earlier={form.getFieldValue('earlier') === true} />}
            </Form.Item>
          </>
        ) : (
          <Form.Item
            name="useLimit"
            label={upload ? t('fileLimit') : t('downloadLimit')}
            extra={upload ? undefined : t('limitHint')}
          >
            <InputNumber min={1} max={10_000} precision={0} placeholder={t('unlimited')} />
          </Form.Item>
        )}
        {upload && <SizeLimitField />}
        <Form.Item name="recipient" label={t('recipient')}>
          <Input maxLength={200} autoComplete="off" placeholder={t('recipientHint')} />
        </Form.Item>
        <Form.Item name="note" label={t('note')} extra={t('noteHint')}>
          <Input.TextArea maxLength={1_000} autoSize={{ minRows: 2, maxRows: 6 }} />
        </Form.Item>
        <ErrorNote text={problem} />
      </Form>
    </Dialog>
  );
}
