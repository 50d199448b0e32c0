import type { FirmwareChoice } from '@chargehand/contract';
import { formatSize, LOG_TYPES, type LogType, TRANSPORTS, type Transport } from '@chargehand/domain';
import { Radio, Select } from 'antd';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { WantedLog } from '../../lib/wanted-log.ts';
import { DatePicker } from '../date-picker.ts';
import './transfer-fields.css';

/** An input with its label above and a note or error below. */
export function FormField(props: { id: string; label: string; hint?: string | undefined; children: ReactNode }) {
  return (
    <div className="transfer-field">
      <label htmlFor={props.id}>{props.label}</label>
      {props.children}
      {props.hint && <p className="quiet">{props.hint}</p>}
    </div>
  );
}

/** The firmware file to install. */
export function FirmwareField(props: {
  items: readonly FirmwareChoice[];
  value: number | null;
  onChange(id: number): void;
}) {
  const { items, value, onChange } = props;
  const { t } = useTranslation('transfers');
  const id = useId();
  return (
    <FormField id={id} label={t('update.file')} hint={items.find((one) => one.id === value)?.note}>
      <Select<number>
        id={id}
        value={value}
        placeholder={t('update.choose')}
        options={items.map((one) => ({
          value: one.id,
          label: `${one.version} · ${one.fileName} · ${formatSize(one.size)}`,
        }))}
        onChange={onChange}
      />
    </FormField>
  );
}

/** The requested log of a device, and its period. */
export function LogFields({ value, onChange }: { value: WantedLog; onChange(value: WantedLog): void }) {
  const { t } = useTranslation('transfers');
  const id = useId();
  return (
    <>
      <FormField id={`${id}-type`} label={t('log.type')}>
        <Radio.Group
          id={`${id}-type`}
          value={value.logType}
          options={LOG_TYPES.map((one) => ({ value: one, label: t(`logTypes.${one}`) }))}
          onChange={(event) => onChange({ ...value, logType: event.target.value as LogType })}
        />
      </FormField>
      <FormField id={`${id}-span`} label={t('log.span')} hint={t('log.spanHint')}>
        <DatePicker.RangePicker
          id={`${id}-span`}
          showTime
          allowEmpty={[true, true]}
          value={value.span}
          onChange={(span) => onChange({ ...value, span })}
        />
      </FormField>
    </>
  );
}

/** The transport of a file. */
export function TransportField(props: { value: Transport; onChange(transport: Transport): void }) {
  const { t } = useTranslation('transfers');
  const id = useId();
  return (
    <FormField id={id} label={t('transport')} hint={t('transportHint')}>
      <Radio.Group
        id={id}
        value={props.value}
        options={TRANSPORTS.map((value) => ({ value, label: value.toUpperCase() }))}
        onChange={(event) => props.onChange(event.target.value as Transport)}
      />
    </FormField>
  );
}
