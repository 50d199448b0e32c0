import type { FileLevels } from '@chargehand/domain';
import { Form, Input } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSave } from '../../../shared/hooks/use-save.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';
import { LevelFields, type LevelValues } from './level-fields.tsx';

/** What files and folders have in common. */
export interface Properties extends LevelValues {
  name: string;
  description: string;
}

interface Props<V extends Properties, A> {
  title: string;
  ok: string;
  initial: V;
  /** the levels of the folder that contains it */
  within: FileLevels | null;
  /** what is said above the fields */
  intro?: ReactNode;
  /** further fields, after the name */
  fields?: ReactNode;
  /** what is said below the fields */
  note?: ReactNode;
  save(values: V): Promise<A>;
  onSaved(answer: A): void;
  onClose(): void;
}

/** Edits the properties of a file or a folder. */
export function PropertiesDialog<V extends Properties, A>(props: Props<V, A>) {
  const { initial } = props;
  const { t } = useTranslation('attachments');
  const { t: common } = useTranslation();
  const [form] = Form.useForm<V>();
  const entered = Form.useWatch([], form) as V | undefined;
  const { save, problem } = useSave(form, props.save, (answer) => {
    toast.success(t('edit.saved', { name: (form.getFieldsValue() as V).name }));
    props.onSaved(answer);
  });
  const edited = entered !== undefined && JSON.stringify({ ...initial, ...entered }) !== JSON.stringify(initial);
  const { close, guard } = useGuardedClose(edited && !save.isPending && !save.isSuccess, props.onClose);
  return (
    <Dialog
      title={props.title}
      okText={props.ok}
      cancelText={common('cancel')}
      pending={save.isPending}
      onOk={form.submit}
      onCancel={close}
    >
      {guard}
      <Form<V>
        form={form}
        className="form"
        layout="vertical"
        initialValues={initial}
        onFinish={(values) => save.mutate(values)}
      >
        {props.intro}
        <Form.Item
          name="name"
          label={t('name')}
          rules={[{ required: true, whitespace: true, message: t('nameNeeded') }]}
        >
          <Input maxLength={255} autoComplete="off" />
        </Form.Item>
        {props.fields}
        <Form.Item name="description" label={t('description')}>
          <Input.TextArea maxLength={1_000} autoSize={{ minRows: 2, maxRows: 6 }} />
        </Form.Item>
        <LevelFields within={props.within} />
        {props.note}
        <ErrorNote text={problem} />
      </Form>
    </Dialog>
  );
}
