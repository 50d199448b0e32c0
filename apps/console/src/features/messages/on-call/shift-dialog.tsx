import type { OnCallShift } from '@chargehand/contract';
import { Form, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Answer, call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useSave } from '../../../shared/hooks/use-save.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';
import { TimeField } from '../../../shared/ui/times/time-field.tsx';

interface Values {
  userId: number;
  substituteId?: number | null;
  from: string;
  to: string;
}

/** Adds a shift for a site or all sites of a customer, or changes one. */
export default function ShiftDialog(props: {
  customerId: number;
  siteId: number | null;
  settings: Answer<'readOnCallSettings'>;
  /** null: a new one */
  shift: OnCallShift | null;
  onClose(): void;
}) {
  const { customerId, shift, settings, onClose } = props;
  const { t } = useTranslation('on-call');
  const { t: common } = useTranslation();
  const [form] = Form.useForm<Values>();
  const [edited, setEdited] = useState(false);
  const siteId = shift === null ? props.siteId : (shift.site?.id ?? null);
  const { save, problem } = useSave(
    form,
    async ({ substituteId, ...values }) => {
      const body = { ...values, substituteId: substituteId ?? null, siteId };
      if (shift === null) await call('createOnCall', { params: { id: customerId }, body }, { quiet: true });
      else await call('updateOnCall', { params: { id: customerId, shiftId: shift.id }, body }, { quiet: true });
    },
    () => {
      toast.success(t('saved'));
      void refresh('listOnCall');
      onClose();
    },
  );
  const { close, guard } = useGuardedClose(edited && !save.isPending && !save.isSuccess, onClose);
  const people = settings.people.map(({ id, name, userName, reachable }) => ({
    value: id,
    label: reachable ? `${name} (${userName})` : t('noAddress', { name, userName }),
  }));
  const required = (text: string) => [{ required: true, message: text }];
  return (
    <Dialog
      title={t(shift === null ? 'addTitle' : 'editTitle')}
      okText={common('save')}
      cancelText={common('cancel')}
      pending={save.isPending}
      onOk={form.submit}
      onCancel={close}
      width={480}
    >
      {guard}
      <Form
        form={form}
        className="form"
        layout="vertical"
        initialValues={
          shift === null
            ? {}
            : { userId: shift.user.id, substituteId: shift.substitute?.id, from: shift.from, to: shift.to }
        }
        onValuesChange={() => setEdited(true)}
        onFinish={(values) => save.mutate(values)}
      >
        <Form.Item name="userId" label={t('user')} rules={required(t('need.user'))} extra={t('who')}>
          <Select<number> showSearch optionFilterProp="label" options={people} />
        </Form.Item>
        <Form.Item name="substituteId" label={t('substitute')} extra={t('substituteHint')}>
          <Select<number> allowClear showSearch optionFilterProp="label" options={people} />
        </Form.Item>
        <Form.Item name="from" label={t('from')} rules={required(t('need.from'))}>
          <Time />
        </Form.Item>
        <Form.Item name="to" label={t('to')} rules={required(t('need.to'))}>
          <Time />
        </Form.Item>
        <ErrorNote text={problem} />
      </Form>
    </Dialog>
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
