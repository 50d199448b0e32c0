import type { AttachmentRow } from '@chargehand/contract';
import { ATTACHMENT_TYPES, type AttachmentType } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { EDITED } from '../../../shared/api/edited.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useSave } from '../../../shared/hooks/use-save.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { levelsOf, useFolders } from '../use-folders.ts';
import { LevelFields, type LevelValues } from './level-fields.tsx';

interface Values extends LevelValues {
  name: string;
  description: string;
  type: AttachmentType;
}

/** Changes the name, the description, the type and the levels of a file. */
export function FileDialog({ file, onClose }: { file: AttachmentRow; onClose(): void }) {
  const { t } = useTranslation('attachments');
  const read = useQuery({ ...queryOf('readAttachment', { params: { id: file.id } }, { quiet: true }), ...EDITED });
  if (read.data)
    return <Fields key={read.data.revision} file={read.data} revision={read.data.revision} onClose={onClose} />;
  return (
    <Dialog title={t('edit.title', { name: file.name })} footer={null} onCancel={onClose}>
      {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : <SkeletonRows rows={6} />}
    </Dialog>
  );
}

function Fields({ file, revision, onClose }: { file: AttachmentRow; revision: string; onClose(): void }) {
  const { t } = useTranslation('attachments');
  const { t: common } = useTranslation();
  const { folders } = useFolders();
  const [form] = Form.useForm<Values>();
  const entered = Form.useWatch([], form);
  const initial: Values = {
    ...{ name: file.name, description: file.description, type: file.type },
    ...{ readLevel: file.readLevel, writeLevel: file.writeLevel, downloadLevel: file.downloadLevel },
  };
  const { save, problem } = useSave(
    form,
    (values) => call('updateAttachment', { params: { id: file.id }, body: { ...values, revision } }, { quiet: true }),
    () => {
      toast.success(t('edit.saved', { name: form.getFieldValue('name') as string }));
      void refresh('listAttachments', 'readAttachment');
      onClose();
    },
  );
  const edited = entered !== undefined && JSON.stringify({ ...initial, ...entered }) !== JSON.stringify(initial);
  const { close, guard } = useGuardedClose(edited && !save.isPending && !save.isSuccess, onClose);
  return (
    <Dialog
      title={t('edit.title', { name: file.name })}
      okText={common('save')}
      cancelText={common('cancel')}
      okButtonProps={{ loading: save.isPending }}
      onOk={form.submit}
      onCancel={close}
    >
      {guard}
      <Form
        form={form}
        className="form"
        layout="vertical"
        initialValues={initial}
        onFinish={(values) => save.mutate(values)}
      >
        <Form.Item
          name="name"
          label={t('name')}
          rules={[{ required: true, whitespace: true, message: t('nameNeeded') }]}
        >
          <Input maxLength={255} autoComplete="off" />
        </Form.Item>
        <Form.Item name="type" label={t('type')}>
          <Select options={ATTACHMENT_TYPES.map((value) => ({ value, label: t(`types.${value}`) }))} />
        </Form.Item>
        <Form.Item name="description" label={t('description')}>
          <Input.TextArea maxLength={1_000} autoSize={{ minRows: 2, maxRows: 6 }} />
        </Form.Item>
        <LevelFields within={levelsOf(folders.find(({ id }) => id === file.folderId))} />
        {problem && (
          <p className="error-note" role="alert">
            {problem}
          </p>
        )}
      </Form>
    </Dialog>
  );
}
