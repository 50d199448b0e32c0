import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSave } from '../../../shared/hooks/use-save.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';

interface Props {
  title: string;
  ok: string;
  /** the name before */
  name: string;
  /** @throws ApiProblem, which the dialog shows */
  save(name: string): Promise<unknown>;
  onDone(): void;
  onClose(): void;
}

/** Asks for the name of a file or folder. */
export function NameDialog({ title, ok, name, save: run, onDone, onClose }: Props) {
  const { t } = useTranslation('links');
  const { t: common } = useTranslation();
  const [form] = Form.useForm<{ name: string }>();
  const { save, problem } = useSave(form, (values) => run(values.name), onDone);
  return (
    <Dialog
      title={title}
      okText={ok}
      cancelText={common('cancel')}
      pending={save.isPending}
      onOk={() => form.submit()}
      onCancel={onClose}
      width={420}
    >
      <Form form={form} layout="vertical" initialValues={{ name }} onFinish={(values) => save.mutate(values)}>
        <Form.Item
          name="name"
          label={t('files.name')}
          rules={[
            { required: true, message: t('files.nameRequired') },
            { pattern: /^(?!\.{1,2}$)[^/]*$/, message: t('files.nameInvalid') },
          ]}
        >
          <Input maxLength={255} autoComplete="off" spellCheck={false} onPressEnter={() => form.submit()} />
        </Form.Item>
        <ErrorNote text={problem} />
      </Form>
    </Dialog>
  );
}
