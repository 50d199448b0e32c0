import type { CommonControls } from '@chargehand/contract';
import { BULK_LIMIT } from '@chargehand/contract/constants';
import { COMMAND_KINDS, type CommandKind, type ItemType, parseRange, transferOf } from '@chargehand/domain';
import { Input, InputNumber, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNames } from '../../../../shared/i18n/use-names.ts';
import { CommandField } from '../../commands/command-field.tsx';
import { ParamFields } from '../../commands/param-fields.tsx';
import { PolicyFields } from '../../commands/policy-fields.tsx';
import { useControlNames } from '../../commands/use-control-names.ts';
import { DISTURBING_KINDS } from '../batch-parts.ts';
import css from '../batches.module.css';
import {
  type BatchForm,
  choiceOf,
  controlIn,
  fitsForm,
  needsConnector,
  parameterIn,
  startsLater,
  valueFault,
} from './batch-form.ts';
import { BatchTransferFields } from './batch-transfer-fields.tsx';

interface Props {
  common: CommonControls;
  deviceIds: readonly number[];
  form: BatchForm;
  onChange(form: BatchForm): void;
}

/** The command of a batch, and its limits. */
export function BatchFields({ common, deviceIds, form, onChange }: Props) {
  const { t } = useTranslation('batches');
  const { nameOf, inWords } = useControlNames();
  const control = controlIn(form, common);
  const file = control && transferOf(control.kind);
  const item = parameterIn(form, common);
  const change = (part: Partial<BatchForm>) => onChange({ ...form, ...part });
  const controls = common.controls
    .filter(({ kind }) => fitsForm(kind))
    .map((one) => ({
      value: one.kind as string,
      // Transfers have the name of their page, not that of a model.
      label: nameOf(one.kind, transferOf(one.kind) ? { name: null } : { ...one, kinds: kindsLike(one.kind, common) }),
    }));
  const parameters = common.parameters.map(({ key, name, devices }) => ({
    value: choiceOf(key),
    label: [
      ...(name ? [inWords(name)] : []),
      key,
      ...(devices < common.devices ? [t('ofDevices', { count: common.devices, devices })] : []),
    ].join(' · '),
  }));
  return (
    <>
      <CommandField label={t('what')}>
        {(id) => (
          <Select
            id={id}
            showSearch={{ optionFilterProp: 'label' }}
            value={form.what}
            placeholder={t('choose')}
            aria-label={t('what')}
            onChange={(what: string) => change({ what, connector: null, value: '', params: {}, firmwareId: null })}
            options={[
              { label: t('controls'), options: controls },
              { label: t('parameters'), options: parameters },
            ].filter(({ options }) => options.length > 0)}
          />
        )}
      </CommandField>
      {control && needsConnector(control.kind) && (
        <CommandField label={t('connector')}>
          {(id) => (
            <>
              {common.connectors.length > 0 ? (
                <Select
                  id={id}
                  value={form.connector}
                  aria-label={t('connector')}
                  onChange={(connector: number) => change({ connector })}
                  options={common.connectors.map((connector) => ({ value: connector, label: String(connector) }))}
                />
              ) : (
                <span className="warning-note">{t('noConnector')}</span>
              )}
            </>
          )}
        </CommandField>
      )}
      {control && (
        <ParamFields
          kind={control.kind}
          control={control}
          params={form.params}
          onChange={(params) => change({ params })}
        />
      )}
      {file && <BatchTransferFields kind={file} deviceIds={deviceIds} form={form} onChange={change} />}
      {item && <ValueField item={item} value={form.value} onChange={(value) => change({ value })} />}
      {control && DISTURBING_KINDS.has(control.kind) && <p className="warning-note">{t('disturbs')}</p>}
      {form.what !== null && (
        <>
          {!startsLater(form) && (
            <PolicyFields
              policy={form}
              onChange={({ whenOffline, queueMinutes }) => change({ whenOffline, queueMinutes })}
            />
          )}
          {deviceIds.length > 1 && (
            <div className={css.batchLimits}>
              <CountField
                label={t('parallel')}
                value={form.parallel}
                onChange={(parallel) => parallel !== null && change({ parallel })}
              />
              <CountField
                label={t('stopAfter')}
                value={form.stopAfter}
                placeholder={t('stopAfterHint')}
                onChange={(stopAfter) => change({ stopAfter })}
              />
            </div>
          )}
        </>
      )}
    </>
  );
}

/** A number of devices. */
function CountField(props: {
  label: string;
  value: number | null;
  placeholder?: string;
  onChange(value: number | null): void;
}) {
  const { label, ...input } = props;
  return (
    <CommandField label={label}>
      {(id) => <InputNumber className={css.batchNumber} id={id} min={1} max={BULK_LIMIT} precision={0} {...input} />}
    </CommandField>
  );
}

/** The available commands of the same control: itself, and the other direction. */
function kindsLike(kind: CommandKind, { controls }: CommonControls): CommandKind[] {
  return controls.map((one) => one.kind).filter((other) => COMMAND_KINDS[other] === COMMAND_KINDS[kind]);
}

function ValueField(props: {
  item: CommonControls['parameters'][number];
  value: string;
  onChange(value: string): void;
}) {
  const { item, value, onChange } = props;
  const { entryOptions } = useNames();
  const { t } = useTranslation('batches');
  const range = item.type === null ? null : parseRange(item.type as ItemType, item.range).range;
  return (
    <CommandField label={t('value')}>
      {(id) => (
        <>
          {range?.type === 4 ? (
            <Select
              id={id}
              value={value === '' ? null : value}
              aria-label={t('value')}
              onChange={onChange}
              options={entryOptions(range.entries)}
            />
          ) : (
            <Input
              id={id}
              value={value}
              maxLength={500}
              status={value !== '' && valueFault(item, value) ? 'error' : undefined}
              suffix={item.unit === '' ? undefined : item.unit}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
          {range && range.type !== 4 && item.range !== '' && (
            <span className="quiet">{t('range', { range: item.range })}</span>
          )}
        </>
      )}
    </CommandField>
  );
}
