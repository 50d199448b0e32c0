import type { SiteDetail } from '@chargehand/contract';
import type { ValuesOf } from '@chargehand/contract/resource';
import { SITE } from '@chargehand/contract/site';
import { Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormPanel } from '../../../shared/ui/form-page/form-panel.tsx';
import { CustomerPicker } from '../../../shared/ui/list-page/pickers.tsx';
import { PictureField } from '../../../shared/ui/pictures/picture-field.tsx';
import { type FormValues, formValues, sentValues, useFieldInputs } from '../../../shared/ui/resource/inputs.tsx';
import { codeRule } from '../places/code-rule.ts';
import { RegionField } from '../places/region/region-field.tsx';
import { fieldsOf, pathOf } from '../places/region/regions.ts';
import { PositionFields, type PositionValues, positionOf } from './position-fields.tsx';
import '../devices/devices.module.css';
import '../map/map.module.css';

interface Values extends Omit<FormValues<typeof SITE.fields>, keyof PositionValues>, PositionValues {
  customerId: number;
  region: string[];
}

/** What a user entered about a site, in the form of the contract. */
export interface SiteFields extends ValuesOf<typeof SITE.fields>, ReturnType<typeof fieldsOf> {
  customerId: number;
}

interface Props {
  site?: SiteDetail;
  /** Saves the fields and returns the path to open afterwards. @throws ApiProblem */
  onSave(fields: SiteFields): Promise<string>;
}

/** The form of a site. Errors of the server are shown at their fields. */
export function SiteForm({ site, onSave }: Props) {
  const { t } = useTranslation('places');
  const [form] = Form.useForm<Values>();
  const {
    name: _n,
    code: _c,
    buildDate,
    contact,
    phone,
    address,
    ...others
  } = useFieldInputs(SITE.fields, t('form.optional'));
  const [uploading, setUploading] = useState(false);
  const required = (label: string) => ({ required: true, message: t('form.required', { label }) });
  return (
    <FormPanel<Values>
      form={form}
      label={t(site ? 'site.edit' : 'site.add')}
      initialValues={{
        ...formValues(SITE.fields, site),
        customerId: site?.customerId,
        region: site ? pathOf(site) : [],
        latitude: site?.latitude?.toString() ?? '',
        longitude: site?.longitude?.toString() ?? '',
      }}
      onSave={({ region, ...values }) => onSave({ ...sentValues(values), ...fieldsOf(region), ...positionOf(values) })}
      {...(!site && { saves: t('site.add') })}
      disabled={uploading}
    >
      <Form.Item name="name" label={t('name')} rules={[{ ...required(t('name')), whitespace: true }]}>
        <Input maxLength={64} autoComplete="off" autoFocus />
      </Form.Item>
      <Form.Item
        name="code"
        label={t('code')}
        extra={t('form.codeHint')}
        rules={[{ ...required(t('code')), whitespace: true }, codeRule(t('form.codeFormat'))]}
      >
        <Input className="mono" maxLength={32} autoComplete="off" spellCheck={false} />
      </Form.Item>
      {site ? (
        <Form.Item label={t('customer')} extra={t('site.customerFixed')}>
          <Input value={site.customerName} disabled aria-label={t('customer')} />
        </Form.Item>
      ) : (
        <Form.Item name="customerId" label={t('customer')} rules={[required(t('customer'))]}>
          <CustomerPicker placeholder={t('site.chooseCustomer')} clearable={false} />
        </Form.Item>
      )}
      {buildDate}
      {contact}
      {phone}
      <Form.Item name="region" label={t('region.label')}>
        <RegionField placeholder={t('form.optional')} label={t('region.label')} />
      </Form.Item>
      {Object.values(others)}
      {address}
      <PositionFields />
      <Form.Item name="image" label={t('picture')} className="form-wide">
        <PictureField label={t('picture')} onBusy={setUploading} />
      </Form.Item>
    </FormPanel>
  );
}
