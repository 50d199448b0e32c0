import { formatTime } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { useEditedRow } from '../../shared/hooks/use-edited-row.ts';
import { useSave } from '../../shared/hooks/use-save.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { LeaveGuard } from '../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { Panel } from '../../shared/ui/page/page-header.tsx';
import { ErrorNote } from '../../shared/ui/states/error-note.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { Preview } from './preview.tsx';
import css from './privacy.module.css';

interface Texts {
  contentEn: string;
  contentZh: string;
}

/** The server's maximum length in each language, in characters. */
const LONGEST = 50_000;

interface Props {
  /** there are unsaved changes */
  written: boolean;
  onWritten(written: boolean): void;
  onPublished(): void;
}

/** The editor of the next version. It starts with the draft, or with the current text. */
export function NextVersion(props: Props) {
  const draft = useEditedRow('readPolicyDraft', {});
  const newest = useQuery(queryOf('listPolicies', { query: { page: 1, pageSize: 10 } }, { quiet: true }));
  const version = newest.data?.items[0]?.version;
  const inForce = useQuery({
    ...queryOf('readPolicy', { params: { id: version ?? 1 } }, { quiet: true }),
    enabled: draft.data === null && version !== undefined,
  });
  const failed = [draft, newest, inForce].find(({ data, error }) => error && data === undefined);
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  const texts = draft.data ?? (version === undefined ? undefined : inForce.data);
  if (draft.data === undefined || !texts) return <SkeletonRows rows={8} />;
  return <Editor texts={texts} draft={draft.data} {...props} />;
}

interface EditorProps extends Props {
  texts: Texts;
  draft: { updatedAt: string; updatedBy: string; revision: string } | null;
}

function Editor({ texts, draft, written: dirty, onWritten, onPublished }: EditorProps) {
  const { t } = useTranslation('privacy');
  const [form] = Form.useForm<Texts>();
  const [dialog, setDialog] = useState<'preview' | 'publish' | null>(null);
  // The revision of the draft when the text was loaded or saved.
  const [revision, setRevision] = useState(draft?.revision ?? null);
  const { save, problem } = useSave<Texts, { revision: string | null }>(
    form,
    (texts) => call('savePolicyDraft', { body: { ...texts, revision } }, { quiet: true }),
    (kept) => {
      onWritten(false);
      setRevision(kept.revision);
      toast.success(t('draft.saved'));
      void refresh('readPolicyDraft');
    },
  );
  const written = (): Texts => form.getFieldsValue();
  const needed = { required: true, whitespace: true, message: t('draft.required') };
  async function confirmPublish() {
    const complete = await form.validateFields().then(
      () => true,
      () => false,
    );
    if (complete) setDialog('publish');
  }
  return (
    <Panel
      title={t('draft.title')}
      extra={
        draft && (
          <span className="quiet">
            {t('draft.by', { name: draft.updatedBy, at: formatTime(draft.updatedAt).slice(0, 16) })}
          </span>
        )
      }
    >
      <LeaveGuard active={dirty} />
      <Form<Texts>
        form={form}
        layout="vertical"
        initialValues={{ contentEn: texts.contentEn, contentZh: texts.contentZh }}
        onValuesChange={() => onWritten(true)}
        onFinish={() => void confirmPublish()}
        aria-label={t('draft.title')}
      >
        <div className={css.policyTexts}>
          <Form.Item name="contentEn" label={t('draft.en')} rules={[needed]}>
            <Input.TextArea lang="en" rows={16} maxLength={LONGEST} showCount />
          </Form.Item>
          <Form.Item name="contentZh" label={t('draft.zh')} rules={[needed]}>
            <Input.TextArea lang="zh-CN" rows={16} maxLength={LONGEST} showCount />
          </Form.Item>
        </div>
        <ErrorNote text={problem} />
        <div className={css.policyButtons}>
          <Button loading={save.isPending} onClick={() => save.mutate(written())}>
            {t('draft.save')}
          </Button>
          <Button onClick={() => setDialog('preview')}>{t('draft.preview')}</Button>
          <Button type="primary" htmlType="submit">
            {t('draft.publish')}
          </Button>
        </div>
      </Form>
      {dialog === 'preview' && <Preview {...written()} onClose={() => setDialog(null)} />}
      {dialog === 'publish' && (
        <Confirm
          title={t('draft.publishTitle')}
          ok={t('draft.publish')}
          danger
          run={() => call('publishPolicy', { body: { ...written(), revision } }, { quiet: true })}
          onDone={() => {
            toast.success(t('draft.published'));
            onWritten(false);
            onPublished();
            void refresh('listPolicies', 'readPolicyDraft', 'listAcceptances');
          }}
          onClose={() => setDialog(null)}
        >
          <p>{t('draft.publishText')}</p>
        </Confirm>
      )}
    </Panel>
  );
}
