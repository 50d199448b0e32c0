import type { FirmwareChoice } from '@chargehand/contract';
import {
  formatSize,
  LOG_TYPES,
  type LogType,
  TRANSPORTS,
  type Transport,
  UPGRADE_STARTS,
  type UpgradeStart,
} from '@chargehand/domain';
import { Radio, Select } from 'antd';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestedLog } from '../../lib/requested-log.ts';
import type { StartForm } from '../../lib/upgrade-start.ts';
import { TimeField } from '../times/time-field.tsx';
import { TimeRange } from '../times/time-range.tsx';
import { Duration } from '../values/duration.tsx';
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
export function LogFields({ value, onChange }: { value: RequestedLog; onChange(value: RequestedLog): void }) {
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
        <TimeRange id={`${id}-span`} value={value.span} onChange={(span) => onChange({ ...value, span })} />
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

/** Typical times to wait for vehicles to leave, in minutes: some hours, a day, a week. */
const WAITS = [60, 4 * 60, 24 * 60, 3 * 24 * 60, 7 * 24 * 60];

/** When an upgrade is sent, and what happens while a vehicle is charging. */
export function StartField(props: { value: StartForm; offline?: boolean; onChange(value: StartForm): void }) {
  const { value, offline = false, onChange } = props;
  const { t } = useTranslation('transfers');
  const id = useId();
  return (
    <>
      <FormField id={id} label={t('start.label')} hint={t(`start.hint.${value.start}`)}>
        <Radio.Group
          id={id}
          value={value.start}
          options={UPGRADE_STARTS.map((start) => ({
            value: start,
            label: t(`start.${start}`),
            disabled: offline && start === 'now',
          }))}
          onChange={(event) => onChange({ ...value, start: event.target.value as UpgradeStart })}
        />
      </FormField>
      {value.start === 'at' && (
        <FormField id={`${id}-at`} label={t('start.time')}>
          <TimeField id={`${id}-at`} value={value.startAt} onChange={(startAt) => onChange({ ...value, startAt })} />
        </FormField>
      )}
      {value.start !== 'now' && (
        <FormField id={`${id}-within`} label={t('start.within')}>
          <Select<number>
            id={`${id}-within`}
            value={value.startWithinMinutes}
            options={WAITS.map((minutes) => ({ value: minutes, label: <Duration seconds={minutes * 60} /> }))}
            onChange={(startWithinMinutes) => onChange({ ...value, startWithinMinutes })}
          />
        </FormField>
      )}
    </>
  );
}
