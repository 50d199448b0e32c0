import type { SiteDetail } from '@chargehand/contract';
import { Form, Input } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DatePicker } from '../../../shared/ui/date-picker.ts';
import { FormPanel } from '../../../shared/ui/form-page/form-panel.tsx';
import { CustomerPicker } from '../../../shared/ui/list-page/pickers.tsx';
import { PictureField } from '../../../shared/ui/pictures/picture-field.tsx';
import { codeRule } from '../places/code-rule.ts';
import { RegionField } from '../places/region/region-field.tsx';
import { fieldsOf, pathOf } from '../places/region/regions.ts';
import { PositionFields, type PositionValues, positionOf } from './position-fields.tsx';
import '../devices/devices.module.css';
import '../map/map.module.css';

interface Values extends PositionValues {
  customerId: number;
  name: string;
  code: string;
  contact: string;
  phone: string;
  region: string[];
  address: string;
  buildDate: Dayjs | null;
  image: string | null;
}

/** The fields of a site in the form of the contract. */
export interface SiteFields
  extends Omit<Values, 'buildDate' | 'region' | keyof PositionValues>,
    ReturnType<typeof fieldsOf>,
    ReturnType<typeof positionOf> {
  buildDate: string | null;
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
  const [uploading, setUploading] = useState(false);
  const required = (label: string) => ({ required: true, message: t('form.required', { label }) });
  return (
    <FormPanel<Values>
      form={form}
      label={t(site ? 'site.edit' : 'site.add')}
      initialValues={{
        customerId: site?.customerId,
        name: site?.name ?? '',
        code: site?.code ?? '',
        contact: site?.contact ?? '',
        phone: site?.phone ?? '',
        region: site ? pathOf(site) : [],
        address: site?.address ?? '',
        latitude: site?.latitude?.toString() ?? '',
        longitude: site?.longitude?.toString() ?? '',
        buildDate: site?.buildDate ? dayjs(site.buildDate) : null,
        image: site?.image ?? null,
      }}
      onSave={({ buildDate, region, latitude, longitude, ...values }) =>
        onSave({
          ...values,
          ...fieldsOf(region),
          ...positionOf({ latitude, longitude }),
          buildDate: buildDate?.format('YYYY-MM-DD') ?? null,
        })
      }
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
      <Form.Item name="buildDate" label={t('site.buildDate')}>
        <DatePicker placeholder={t('form.optional')} />
      </Form.Item>
      <Form.Item name="contact" label={t('site.contact')}>
        <Input maxLength={64} autoComplete="off" placeholder={t('form.optional')} />
      </Form.Item>
      <Form.Item name="phone" label={t('site.phone')}>
        <Input maxLength={40} autoComplete="off" placeholder={t('form.optional')} />
      </Form.Item>
      <Form.Item name="region" label={t('region.label')}>
        <RegionField placeholder={t('form.optional')} label={t('region.label')} />
      </Form.Item>
      <Form.Item name="address" label={t('address')} className="form-wide">
        <Input.TextArea maxLength={200} autoSize={{ minRows: 2 }} placeholder={t('form.optional')} />
      </Form.Item>
      <PositionFields />
      <Form.Item name="image" label={t('picture')} className="form-wide">
        <PictureField label={t('picture')} onBusy={setUploading} />
      </Form.Item>
    </FormPanel>
  );
}
