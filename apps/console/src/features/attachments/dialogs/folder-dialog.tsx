import type { FolderRow } from '@chargehand/contract';
import { DEFAULT_FILE_LEVELS, levelsWithin } from '@chargehand/domain';
import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useSave } from '../../../shared/hooks/use-save.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { levelsOf } from '../use-folders.ts';
import { LevelFields, type LevelValues } from './level-fields.tsx';

interface Values extends LevelValues {
  name: string;
  description: string;
}

interface Props {
  /** null: a new folder */
  folder: FolderRow | null;
  /** the folder that contains it; undefined: none */
  parent: FolderRow | undefined;
  onSaved(id: number): void;
  onClose(): void;
}

/** Adds a folder, or changes the name, the description and the levels of one. */
export function FolderDialog({ folder, parent, onSaved, onClose }: Props) {
  const { t } = useTranslation('attachments');
  const { t: common } = useTranslation();
  const [form] = Form.useForm<Values>();
  const entered = Form.useWatch([], form);
  const within = levelsOf(parent);
  const fresh = levelsWithin(within ?? DEFAULT_FILE_LEVELS, within);
  const initial: Values = folder
    ? {
        ...{ name: folder.name, description: folder.description },
        ...{ readLevel: folder.readLevel, writeLevel: folder.writeLevel, downloadLevel: folder.downloadLevel },
      }
    : { name: '', description: '', readLevel: fresh.read, writeLevel: fresh.write, downloadLevel: fresh.download };
  const { save, problem } = useSave(
    form,
    async (values) => {
      if (!folder)
        return await call('createFolder', { body: { ...values, folderId: parent?.id ?? null } }, { quiet: true });
      const body = { ...values, revision: folder.revision };
      await call('updateFolder', { params: { id: folder.id }, body }, { quiet: true });
      return { id: folder.id };
    },
    ({ id }) => {
      toast.success(t('edit.saved', { name: form.getFieldValue('name') as string }));
      void refresh('listFolders', 'listAttachments', 'readAttachment');
      onSaved(id);
    },
  );
  const edited = entered !== undefined && JSON.stringify({ ...initial, ...entered }) !== JSON.stringify(initial);
  const { close, guard } = useGuardedClose(edited && !save.isPending && !save.isSuccess, onClose);
  return (
    <Dialog
      title={folder ? t('folder.editTitle', { name: folder.name }) : t('folder.addTitle')}
      okText={folder ? common('save') : t('folder.add')}
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
        {!folder && parent && <p className="quiet">{t('folder.inside', { name: parent.name })}</p>}
        <Form.Item
          name="name"
          label={t('name')}
          rules={[{ required: true, whitespace: true, message: t('nameNeeded') }]}
        >
          <Input maxLength={255} autoComplete="off" />
        </Form.Item>
        <Form.Item name="description" label={t('description')}>
          <Input.TextArea maxLength={1_000} autoSize={{ minRows: 2, maxRows: 6 }} />
        </Form.Item>
        <LevelFields within={within} />
        {folder && <p className="quiet">{t('folder.levelsApply')}</p>}
        {problem && (
          <p className="error-note" role="alert">
            {problem}
          </p>
        )}
      </Form>
    </Dialog>
  );
}
