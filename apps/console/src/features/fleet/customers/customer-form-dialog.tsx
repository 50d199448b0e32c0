import {
  ISSUE_PREFIX_LENGTH,
  isIssuePrefix,
  proposedIssuePrefix,
  TOKEN_POLICIES,
  type TokenPolicy,
} from '@chargehand/domain';
import { Form, Input, Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useSave } from '../../../shared/hooks/use-save.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { PictureField } from '../../../shared/ui/pictures/picture-field.tsx';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';
import { codeRule } from '../places/code-rule.ts';
import css from '../places/places.module.css';
import { RegionField } from '../places/region/region-field.tsx';
import { fieldsOf, pathOf } from '../places/region/regions.ts';
import type { CustomerSubject } from './customer-list.ts';

interface Values {
  code: string;
  name: string;
  issuePrefix: string;
  contact: string;
  region: string[];
  address: string;
  readOnly: boolean;
  tokenPolicy: TokenPolicy;
  logo: string | null;
}

interface Props {
  /** the customer to change; omitted for a new one */
  customer?: CustomerSubject;
  /** name, code and the read-only flag may also be changed */
  manage: boolean;
  onClose(): void;
  /** called with the id of a new customer */
  onCreated?: (id: number) => void;
}

/** The form of a customer. */
export function CustomerFormDialog({ customer, manage, onClose, onCreated }: Props) {
  const { t } = useTranslation('places');
  const { t: common } = useTranslation();
  const [form] = Form.useForm<Values>();
  const name = Form.useWatch('name', form) ?? '';
  const code = Form.useWatch('code', form) ?? '';
  const [dirty, setDirty] = useState(false);
  const [uploading, setUploading] = useState(false);
  // The revision that the fields started with, because the list behind the dialog shows later changes.
  const [revision] = useState(customer?.revision);
  const { save, problem } = useSave(
    form,
    async ({ region, tokenPolicy, issuePrefix, ...entered }) => {
      const prefix = issuePrefix.trim() === '' ? {} : { issuePrefix };
      const values = { ...entered, ...prefix, ...fieldsOf(region) };
      if (!customer) return await call('createCustomer', { body: { ...values, tokenPolicy } }, { quiet: true });
      const { contact, address, logo } = values;
      const body = manage ? values : { contact, address, logo, ...fieldsOf(region) };
      await call('updateCustomer', { params: { id: customer.id }, body: { ...body, revision } }, { quiet: true });
      return { id: customer.id };
    },
    async ({ id }) => {
      toast.success(t(customer ? 'form.saved' : 'form.added', { name: form.getFieldValue('name') as string }));
      onClose();
      await refresh('listCustomers', 'readCustomer', 'listSites', 'readSite', 'listDevices', 'readDevice');
      if (!customer) onCreated?.(id);
    },
  );
  const { close, guard } = useGuardedClose(dirty && !save.isPending && !save.isSuccess, onClose);
  const required = (label: string) => ({ required: true, whitespace: true, message: t('form.required', { label }) });

  return (
    <Dialog
      title={customer ? t('customerEdit') : t('customerAdd')}
      okText={customer ? common('save') : t('form.add')}
      cancelText={common('cancel')}
      okButtonProps={{ disabled: uploading }}
      pending={save.isPending}
      onOk={() => form.submit()}
      onCancel={close}
      width={520}
    >
      {guard}
      <Form<Values>
        form={form}
        className={css.placeForm}
        layout="vertical"
        initialValues={{
          code: customer?.code ?? '',
          name: customer?.name ?? '',
          issuePrefix: customer?.issuePrefix ?? '',
          contact: customer?.contact ?? '',
          region: customer ? pathOf(customer) : [],
          address: customer?.address ?? '',
          readOnly: customer?.readOnly ?? false,
          logo: customer?.logo ?? null,
        }}
        onValuesChange={() => setDirty(true)}
        onFinish={(values) => save.mutate(values)}
        aria-label={customer ? t('customerEdit') : t('customerAdd')}
      >
        <Form.Item
          name="name"
          label={t('name')}
          extra={manage ? undefined : t('form.vendorOnly')}
          rules={[required(t('name'))]}
        >
          <Input maxLength={64} autoComplete="off" disabled={!manage} autoFocus={manage} />
        </Form.Item>
        <Form.Item
          name="code"
          label={t('code')}
          extra={t('form.codeHint')}
          rules={[required(t('code')), codeRule(t('form.codeFormat'))]}
        >
          <Input className="mono" maxLength={32} autoComplete="off" spellCheck={false} disabled={!manage} />
        </Form.Item>
        <Form.Item
          name="issuePrefix"
          label={t('issuePrefix')}
          extra={t('form.issuePrefixHint')}
          normalize={(text: string) => text.toUpperCase()}
          rules={[
            { required: customer !== undefined, message: t('form.required', { label: t('issuePrefix') }) },
            {
              validator: async (_, text: string) => {
                if (text && !isIssuePrefix(text)) throw new Error(t('form.issuePrefixFormat'));
              },
            },
          ]}
        >
          <Input
            className="mono"
            maxLength={ISSUE_PREFIX_LENGTH}
            autoComplete="off"
            spellCheck={false}
            placeholder={name || code ? proposedIssuePrefix(name, code) : t('form.optional')}
            disabled={!manage}
          />
        </Form.Item>
        <Form.Item name="contact" label={t('contact')}>
          <Input maxLength={64} autoComplete="off" placeholder={t('form.optional')} autoFocus={!manage} />
        </Form.Item>
        <Form.Item name="region" label={t('region.label')}>
          <RegionField placeholder={t('form.optional')} label={t('region.label')} />
        </Form.Item>
        <Form.Item name="address" label={t('address')}>
          <Input.TextArea maxLength={200} autoSize={{ minRows: 2 }} placeholder={t('form.optional')} />
        </Form.Item>
        <Form.Item name="logo" label={t('logo')}>
          <PictureField label={t('logo')} onBusy={setUploading} />
        </Form.Item>
        {!customer && (
          <Form.Item
            name="tokenPolicy"
            label={t('form.tokenPolicy.label')}
            extra={t('form.tokenPolicy.hint')}
            rules={[{ required: true, message: t('form.tokenPolicy.choose') }]}
          >
            <Radio.Group options={TOKEN_POLICIES.map((value) => ({ value, label: t(`form.tokenPolicy.${value}`) }))} />
          </Form.Item>
        )}
        {manage && !customer?.platformVendor && (
          <Form.Item name="readOnly" valuePropName="checked" extra={t('form.readOnlyHint')}>
            <ReadOnlyBox label={t('form.readOnly')} />
          </Form.Item>
        )}
        <ErrorNote text={problem} />
      </Form>
    </Dialog>
  );
}

function ReadOnlyBox(props: { id?: string; checked?: boolean; onChange?: (checked: boolean) => void; label: string }) {
  return (
    <label className={css.checkLine}>
      <input
        id={props.id}
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChange?.(event.target.checked)}
      />
      {props.label}
    </label>
  );
}
