import type { DeviceDetail, NewDevice } from '@chargehand/contract';
import { GENERATED_PASSWORD_BYTES, isOverMqtt, isSn } from '@chargehand/domain';
import { Button, Form, Input, InputNumber } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import { useModelName } from '../../../../shared/i18n/use-model-name.ts';
import { DatePicker } from '../../../../shared/ui/date-picker.ts';
import { FormPanel } from '../../../../shared/ui/form-page/form-panel.tsx';
import { ModelPicker, SitePicker } from '../../../../shared/ui/list-page/pickers.tsx';
import css from '../devices.module.css';

type Fields = Static<typeof NewDevice> & { passwordAtOnce?: boolean };

interface Values {
  sn: string;
  name: string;
  siteId: number;
  deviceModelId: number;
  arrivalDate: Dayjs | null;
  installDate: Dayjs | null;
  maintenanceCycleDays: number | null;
  gatewayPassword: string;
}

interface Named {
  id: number;
  name: string;
}

interface Props {
  sn: string;
  snFixed: boolean;
  device?: DeviceDetail;
  /** what a new device starts with, and why at this site */
  proposed?: { model?: Named; site?: Named; siteReason?: string };
  /** Saves the fields and returns the path to open afterwards. @throws ApiProblem */
  onSave(fields: Fields): Promise<string>;
}

/** The form of a device. Errors of the server are shown at their fields. */
export function DeviceForm({ sn, snFixed, device, proposed = {}, onSave }: Props) {
  const { t } = useTranslation('fleet');
  const modelName = useModelName();
  const [form] = Form.useForm<Values>();
  const [generated, setGenerated] = useState(false);
  const [removesPassword, setRemovesPassword] = useState(false);
  const [atOnce, setAtOnce] = useState(false);
  const typed = Form.useWatch('gatewayPassword', form);
  const canSend = device !== undefined && device.protocol !== null && !isOverMqtt(device.protocol);
  const chosen = (label: string) => [{ required: true, message: t('form.choiceRequired', { label }) }];

  return (
    <FormPanel<Values>
      form={form}
      label={device ? t('form.editLabel') : t('register')}
      initialValues={{
        ...initialValues(sn, device),
        ...(proposed.model && { deviceModelId: proposed.model.id }),
        ...(proposed.site && { siteId: proposed.site.id }),
      }}
      onSave={(values) => onSave(fieldsOf(values, { removesPassword, atOnce: atOnce && canSend }))}
      {...(!device && { saves: t('register') })}
      edited={removesPassword || generated}
    >
      <Form.Item
        name="sn"
        label={t('sn')}
        extra={snFixed ? t('form.snFixed') : t('form.snHint')}
        rules={
          snFixed
            ? []
            : [
                { required: true, message: t('form.snRequired') },
                {
                  validator: (_, text: string) =>
                    !text || isSn(text.trim()) ? Promise.resolve() : Promise.reject(new Error(t('form.snFormat'))),
                },
              ]
        }
      >
        <Input
          className="mono"
          disabled={snFixed}
          autoComplete="off"
          spellCheck={false}
          autoFocus={!snFixed}
          maxLength={48}
        />
      </Form.Item>
      <Form.Item
        name="name"
        label={t('name')}
        rules={[{ required: true, whitespace: true, message: t('form.required', { label: t('name') }) }]}
      >
        <Input maxLength={64} autoComplete="off" autoFocus={snFixed && !device} />
      </Form.Item>
      <Form.Item name="siteId" label={t('site')} extra={proposed.siteReason} rules={chosen(t('site'))}>
        <SitePicker
          placeholder={t('form.chooseSite')}
          knownAs={device?.siteName ?? proposed.site?.name}
          clearable={false}
        />
      </Form.Item>
      <Form.Item name="deviceModelId" label={t('model')} rules={chosen(t('model'))}>
        <ModelPicker
          placeholder={t('form.chooseModel')}
          knownAs={modelName(device?.deviceModelName ?? proposed.model?.name ?? null) ?? undefined}
          clearable={false}
        />
      </Form.Item>
      <Form.Item name="arrivalDate" label={t('arrivalDate')}>
        <DatePicker placeholder={t('form.optional')} />
      </Form.Item>
      <Form.Item
        name="installDate"
        label={t('installDate')}
        dependencies={['arrivalDate']}
        rules={[
          ({ getFieldValue }) => ({
            validator: (_, day: Dayjs | null) => {
              const arrival = getFieldValue('arrivalDate') as Dayjs | null;
              return day && arrival && day.isBefore(arrival, 'day')
                ? Promise.reject(new Error(t('form.datesTurned')))
                : Promise.resolve();
            },
          }),
        ]}
      >
        <DatePicker placeholder={t('form.optional')} />
      </Form.Item>
      <Form.Item name="maintenanceCycleDays" label={t('maintenanceCycle')}>
        <InputNumber min={1} max={3_650} precision={0} suffix={t('form.days')} placeholder={t('form.optional')} />
      </Form.Item>
      <div className={css.deviceFormPassword}>
        <Form.Item
          className={css.deviceFormPasswordField}
          name="gatewayPassword"
          label={t('gatewayPassword')}
          extra={
            removesPassword
              ? t('form.passwordRemoved')
              : t(
                  canSend
                    ? 'form.passwordSent'
                    : device?.hasGatewayPassword
                      ? 'form.passwordKept'
                      : 'form.passwordHint',
                )
          }
          rules={[{ min: 16, max: 40, message: t('form.passwordLength') }]}
        >
          <Input.Password
            className="mono"
            autoComplete="new-password"
            disabled={removesPassword}
            placeholder={device?.hasGatewayPassword ? t('form.unchanged') : t('form.optional')}
          />
        </Form.Item>
        {!removesPassword && (
          <div className="field-row">
            <Button
              onClick={() => {
                form.setFieldValue('gatewayPassword', generatedPassword());
                setGenerated(true);
              }}
            >
              {t('form.generatePassword')}
            </Button>
            {canSend && typed && (
              <label className="check">
                <input type="checkbox" checked={atOnce} onChange={(event) => setAtOnce(event.target.checked)} />
                {t('form.passwordAtOnce')}
              </label>
            )}
          </div>
        )}
        {device?.hasGatewayPassword && (
          <label className="check">
            <input
              type="checkbox"
              checked={removesPassword}
              onChange={(event) => {
                setRemovesPassword(event.target.checked);
                form.setFieldValue('gatewayPassword', '');
              }}
            />
            {t('form.removePassword')}
          </label>
        )}
      </div>
    </FormPanel>
  );
}

function initialValues(sn: string, device: DeviceDetail | undefined): Partial<Values> {
  if (!device)
    return { sn, name: sn, arrivalDate: null, installDate: null, maintenanceCycleDays: null, gatewayPassword: '' };
  return {
    sn: device.sn,
    name: device.name,
    siteId: device.siteId,
    deviceModelId: device.deviceModelId,
    arrivalDate: device.arrivalDate ? dayjs(device.arrivalDate) : null,
    installDate: device.installDate ? dayjs(device.installDate) : null,
    maintenanceCycleDays: device.maintenanceCycleDays,
    gatewayPassword: '',
  };
}

/** The fields in the form of the contract. An empty password is left unchanged. */
function fieldsOf(values: Values, { removesPassword, atOnce }: { removesPassword: boolean; atOnce: boolean }): Fields {
  const { gatewayPassword, arrivalDate, installDate, maintenanceCycleDays } = values;
  return {
    sn: values.sn.trim(),
    name: values.name.trim(),
    siteId: values.siteId,
    deviceModelId: values.deviceModelId,
    arrivalDate: arrivalDate?.format('YYYY-MM-DD') ?? null,
    installDate: installDate?.format('YYYY-MM-DD') ?? null,
    maintenanceCycleDays: maintenanceCycleDays ?? null,
    ...(removesPassword ? { gatewayPassword: null } : gatewayPassword ? { gatewayPassword } : {}),
    ...(atOnce && gatewayPassword && !removesPassword ? { passwordAtOnce: true } : {}),
  };
}

/** A random password in hexadecimal digits, because OCPP 1.6 devices may accept nothing else. */
function generatedPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(GENERATED_PASSWORD_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}
