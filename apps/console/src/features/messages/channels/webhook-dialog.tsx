import type { WebhookRow } from '@chargehand/contract';
import { LOCALES, type Locale } from '@chargehand/contract/constants';
import {
  MESSAGE_TYPES,
  type MessageType,
  SIGNED_BY_RECEIVER,
  WEBHOOK_FORMATS,
  type WebhookFormat,
} from '@chargehand/domain';
import { Form, Input, Select, Switch } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useSave } from '../../../shared/hooks/use-save.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { CustomerPicker, SitesPicker } from '../../../shared/ui/list-page/pickers.tsx';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';

interface Values {
  customerId: number;
  name: string;
  webhookUrl: string;
  format: WebhookFormat;
  secret: string;
  types: MessageType[];
  siteIds: number[];
  locale: Locale;
  enabled: boolean;
}

/** Adds a webhook, or changes one. */
export function WebhookDialog(props: {
  /** null: a new one */
  webhook: WebhookRow | null;
  /** the secret of a new webhook, which is shown once */
  onSecret(secret: string): void;
  onClose(): void;
}) {
  const { webhook, onSecret, onClose } = props;
  const { t } = useTranslation('channels');
  const { t: common } = useTranslation();
  const { t: messages } = useTranslation('messages');
  const locale = useLocale();
  const [form] = Form.useForm<Values>();
  const [edited, setEdited] = useState(false);
  const format = Form.useWatch('format', form) ?? webhook?.format ?? 'standard';
  const chosen = Form.useWatch('customerId', form) as number | undefined;
  const { save, problem } = useSave(
    form,
    async ({ customerId, secret, ...fields }) => {
      const entered = secret?.trim() ? { secret: secret.trim() } : {};
      const body = { ...fields, ...(SIGNED_BY_RECEIVER.includes(fields.format) && entered) };
      if (webhook === null) return await call('createWebhook', { body: { customerId, ...body } }, { quiet: true });
      await call('updateWebhook', { params: { id: webhook.id }, body }, { quiet: true });
      return null;
    },
    (created) => {
      toast.success(t(webhook === null ? 'added' : 'saved', { name: form.getFieldValue('name') as string }));
      void refresh('listWebhooks');
      onClose();
      if (created !== null && created.secret !== null && format === 'standard') onSecret(created.secret);
    },
  );
  const { close, guard } = useGuardedClose(edited && !save.isPending && !save.isSuccess, onClose);
  const required = (text: string) => [{ required: true, message: text }];
  return (
    <Dialog
      title={webhook === null ? t('addTitle') : t('editTitle', { name: webhook.name })}
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
        initialValues={initialOf(webhook, locale)}
        onValuesChange={() => setEdited(true)}
        onFinish={(values) => save.mutate(values)}
      >
        {webhook === null && (
          <Form.Item name="customerId" label={t('customer')} rules={required(t('need.customer'))}>
            <CustomerPicker clearable={false} />
          </Form.Item>
        )}
        <Form.Item name="name" label={t('name')} rules={required(t('need.name'))}>
          <Input maxLength={100} />
        </Form.Item>
        <Form.Item name="format" label={t('format')} extra={t(`formatHints.${format}`)}>
          <Select<WebhookFormat> options={WEBHOOK_FORMATS.map((value) => ({ value, label: t(`formats.${value}`) }))} />
        </Form.Item>
        <Form.Item name="webhookUrl" label={t('url')} rules={required(t('need.url'))}>
          <Input maxLength={2_000} inputMode="url" spellCheck={false} />
        </Form.Item>
        {SIGNED_BY_RECEIVER.includes(format) && (
          <Form.Item name="secret" label={t('secret.label')} extra={webhook?.signed ? t('secret.keep') : undefined}>
            <Input.Password maxLength={200} autoComplete="off" />
          </Form.Item>
        )}
        <Form.Item name="types" label={t('types')}>
          <Select<MessageType[]>
            mode="multiple"
            allowClear
            placeholder={t('allTypes')}
            optionFilterProp="label"
            options={MESSAGE_TYPES.map((value) => ({ value, label: messages(`types.${value}`) }))}
          />
        </Form.Item>
        <Form.Item name="siteIds" label={t('sites')}>
          <SitesPicker
            placeholder={t('allSites')}
            customerId={webhook?.customerId ?? chosen}
            known={webhook?.sites ?? []}
          />
        </Form.Item>
        <Form.Item name="locale" label={t('language')}>
          <Select<Locale> options={LOCALES.map((value) => ({ value, label: t(`languages.${value}`) }))} />
        </Form.Item>
        <Form.Item name="enabled" label={t('enabled')} valuePropName="checked">
          <Switch />
        </Form.Item>
        <ErrorNote text={problem} />
      </Form>
    </Dialog>
  );
}

function initialOf(webhook: WebhookRow | null, locale: Locale): Partial<Values> {
  if (webhook === null) return { format: 'standard', types: [], siteIds: [], locale, enabled: true };
  const { name, webhookUrl, format, types, siteIds, enabled } = webhook;
  return { name, webhookUrl, format, types, siteIds, locale: webhook.locale, enabled };
}
