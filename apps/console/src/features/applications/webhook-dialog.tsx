import type { ApplicationWebhook, OpenEventType } from '@chargehand/contract';
import { Checkbox, Form, Input, Switch } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { useSave } from '../../shared/hooks/use-save.ts';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { ErrorNote } from '../../shared/ui/states/error-note.tsx';
import { EVENT_TEXTS } from './event-texts.ts';

type Values = Pick<ApplicationWebhook, 'webhookUrl' | 'description' | 'events' | 'enabled'>;

const TYPES = Object.keys(EVENT_TEXTS) as OpenEventType[];

/** Adds a webhook to an application, or changes one. */
export function WebhookDialog(props: {
  applicationId: number;
  /** null: a new one */
  webhook: ApplicationWebhook | null;
  /** the secret of a new webhook, which is shown once */
  onSecret(secret: string): void;
  onClose(): void;
}) {
  const { applicationId, webhook, onSecret, onClose } = props;
  const { t } = useTranslation('applications');
  const { t: common } = useTranslation();
  const [form] = Form.useForm<Values>();
  const [edited, setEdited] = useState(false);
  const { save, problem } = useSave(
    form,
    async (body) => {
      const params = { id: applicationId };
      if (webhook === null) return await call('createApplicationWebhook', { params, body }, { quiet: true });
      await call('updateApplicationWebhook', { params: { ...params, webhookId: webhook.id }, body }, { quiet: true });
      return null;
    },
    (created) => {
      toast.success(t('webhook.saved'));
      void refresh('listApplicationWebhooks');
      onClose();
      if (created !== null) onSecret(created.secret);
    },
  );
  const { close, guard } = useGuardedClose(edited && !save.isPending && !save.isSuccess, onClose);
  const required = (message: string) => [{ required: true, message }];
  return (
    <Dialog
      title={t(webhook === null ? 'webhook.add' : 'webhook.edit')}
      okText={common('save')}
      cancelText={common('cancel')}
      pending={save.isPending}
      onOk={form.submit}
      onCancel={close}
      width={560}
    >
      {guard}
      <Form
        form={form}
        className="form"
        layout="vertical"
        initialValues={webhook ?? { webhookUrl: '', description: '', events: [], enabled: true }}
        onValuesChange={() => setEdited(true)}
        onFinish={(values) => save.mutate(values)}
      >
        <Form.Item
          name="webhookUrl"
          label={t('webhook.url')}
          extra={t('webhook.urlHint')}
          rules={required(t('webhook.need.url'))}
        >
          <Input maxLength={2_000} inputMode="url" spellCheck={false} autoComplete="off" />
        </Form.Item>
        <Form.Item name="description" label={t('description')}>
          <Input maxLength={200} />
        </Form.Item>
        <Form.Item name="events" label={t('webhook.events')} rules={required(t('webhook.need.events'))}>
          <EventsField />
        </Form.Item>
        <Form.Item name="enabled" label={t('state.enabled')} extra={t('webhook.enabledHint')} valuePropName="checked">
          <Switch />
        </Form.Item>
        <ErrorNote text={problem} />
      </Form>
    </Dialog>
  );
}

/** The checkboxes as a form control. A group must not have the attribute of required fields, which the form adds. */
function EventsField(props: { value?: OpenEventType[]; onChange?(value: OpenEventType[]): void }) {
  const { t } = useTranslation('applications');
  return (
    <Checkbox.Group
      value={props.value ?? []}
      onChange={(value) => props.onChange?.(value)}
      options={TYPES.map((value) => ({ value, label: t(`event.${EVENT_TEXTS[value]}`) }))}
    />
  );
}
