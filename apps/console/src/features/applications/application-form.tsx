import type { ApplicationDetail } from '@chargehand/contract';
import { OPEN_OPERATION_GROUPS, type OpenOperationGroup, type OpenOperationName, RATE_LIMIT } from '@chargehand/domain';
import { Checkbox, Form, Input, InputNumber, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { UserPicker } from '../../shared/ui/access/user-picker.tsx';
import { FormPanel } from '../../shared/ui/form-page/form-panel.tsx';
import { PictureField } from '../../shared/ui/pictures/picture-field.tsx';
import { TimeField } from '../../shared/ui/times/time-field.tsx';
import css from './applications.module.css';

/** The fields of an application. */
export interface ApplicationFields {
  name: string;
  description: string;
  icon: string | null;
  /** only of a new application */
  userId: number;
  allowedOperations: string[];
  allowedAddresses: string[];
  rateLimit: number;
  expiresAt: string | null;
}

interface Props {
  application?: ApplicationDetail;
  /** Saves the fields and returns the path to open afterwards. @throws ApiProblem */
  onSave(fields: ApplicationFields): Promise<string>;
}

const GROUPS = Object.entries(OPEN_OPERATION_GROUPS) as [OpenOperationGroup, readonly OpenOperationName[]][];

/** The form of an application. Errors of the server are shown at their fields. */
export function ApplicationForm({ application, onSave }: Props) {
  const { t } = useTranslation('applications');
  const [form] = Form.useForm<ApplicationFields>();
  const [uploading, setUploading] = useState(false);
  const needed = (message: string) => ({ required: true, message });
  return (
    <FormPanel<ApplicationFields>
      form={form}
      label={application ? t('edit') : t('add')}
      initialValues={initialValues(application)}
      onSave={onSave}
      disabled={uploading}
    >
      <Form.Item name="name" label={t('name')} rules={[needed(t('need.name'))]}>
        <Input maxLength={64} autoComplete="off" autoFocus={!application} />
      </Form.Item>
      {application ? (
        <Form.Item label={t('boundUser')} extra={t('boundUserFixed')}>
          <Input
            aria-label={t('boundUser')}
            value={application.boundUser?.userName ?? t('state.userMissing')}
            disabled
          />
        </Form.Item>
      ) : (
        <Form.Item
          name="userId"
          label={t('boundUser')}
          extra={t('boundUserHint')}
          rules={[needed(t('need.boundUser'))]}
        >
          <UserPicker placeholder={t('chooseUser')} clearable={false} />
        </Form.Item>
      )}
      <Form.Item name="description" label={t('description')} className="form-wide">
        <Input.TextArea maxLength={2_000} autoSize={{ minRows: 2, maxRows: 8 }} placeholder={t('descriptionHint')} />
      </Form.Item>
      <Form.Item
        name="allowedOperations"
        label={t('allowedOperations')}
        extra={t('allowedOperationsHint')}
        className="form-wide"
        rules={[{ ...needed(t('need.operations')), type: 'array', min: 1 }]}
      >
        <OperationsField />
      </Form.Item>
      <Form.Item name="allowedAddresses" label={t('allowedAddresses')} extra={t('allowedAddressesHint')}>
        <Select mode="tags" open={false} tokenSeparators={[',', ' ']} placeholder={t('anyAddress')} suffixIcon={null} />
      </Form.Item>
      <Form.Item name="rateLimit" label={t('rateLimit')} rules={[needed(t('need.rateLimit'))]}>
        <InputNumber min={RATE_LIMIT.min} max={RATE_LIMIT.max} precision={0} />
      </Form.Item>
      <Form.Item name="expiresAt" label={t('expiresAt')} extra={t('expiresAtHint')}>
        <ExpiryField />
      </Form.Item>
      <Form.Item name="icon" label={t('icon')} className="form-wide">
        <PictureField label={t('icon')} purpose="icon" onBusy={setUploading} />
      </Form.Item>
    </FormPanel>
  );
}

/** The time field as a form control, whose value may be missing. */
function ExpiryField(props: { id?: string; value?: string | null; onChange?(value: string | null): void }) {
  return (
    <TimeField
      {...(props.id === undefined ? {} : { id: props.id })}
      value={props.value}
      onChange={(value) => props.onChange?.(value)}
    />
  );
}

/** Chooses operations, by area. */
function OperationsField({ value = [], onChange }: { value?: string[]; onChange?(value: string[]): void }) {
  const { t } = useTranslation('applications');
  const chosen = new Set(value);
  const all = GROUPS.flatMap(([, names]) => names.map((name) => `open.${name}`));
  return (
    <div className={`stack ${css.operations}`}>
      <Checkbox
        checked={chosen.size === all.length}
        indeterminate={chosen.size > 0 && chosen.size < all.length}
        onChange={({ target }) => onChange?.(target.checked ? all : [])}
      >
        {t('allOperations')}
      </Checkbox>
      {GROUPS.map(([group, names]) => (
        <fieldset key={group}>
          <legend>{t(`group.${group}`)}</legend>
          {names.map((name) => (
            <Checkbox
              key={name}
              checked={chosen.has(`open.${name}`)}
              onChange={({ target }) => {
                const next = new Set(chosen);
                if (target.checked) next.add(`open.${name}`);
                else next.delete(`open.${name}`);
                onChange?.([...next]);
              }}
            >
              {t(`operation.${name}`)}
            </Checkbox>
          ))}
        </fieldset>
      ))}
    </div>
  );
}

function initialValues(application: ApplicationDetail | undefined): Partial<ApplicationFields> {
  if (!application) {
    return {
      ...{ description: '', icon: null, allowedOperations: [], allowedAddresses: [] },
      ...{ rateLimit: RATE_LIMIT.default, expiresAt: null },
    };
  }
  const { name, description, icon, allowedOperations, allowedAddresses, rateLimit, expiresAt } = application;
  return { name, description, icon, allowedOperations, allowedAddresses, rateLimit, expiresAt };
}
