import type { DeviceModelDetail, EditedDeviceModel } from '@chargehand/contract';
import {
  controlLevelIsValid,
  DEVICE_TYPES,
  MAX_CONNECTORS,
  MODEL_PROTOCOLS,
  type ModelProtocol,
  SILENCE_SECONDS,
} from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Input, InputNumber, Select, Switch } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../../../shared/api/query.ts';
import { useModelName } from '../../../../shared/i18n/use-model-name.ts';
import { PictureField } from '../../../../shared/ui/pictures/picture-field.tsx';
import { StoredPicture } from '../../../../shared/ui/pictures/stored-picture.tsx';
import { Field } from '../../field.tsx';
import { LevelSelect } from '../../level-select.tsx';
import css from '../../models.module.css';

interface Props {
  model: DeviceModelDetail;
  draft: EditedDeviceModel;
  /** omitted when nothing may be changed */
  onChange?: ((part: Partial<EditedDeviceModel>) => void) | undefined;
  /** an upload started or ended; saving is disabled in between */
  onBusy(busy: boolean): void;
}

const PICTURES = [
  ['imageKey', 'image'],
  ['iconKey', 'icon'],
] as const;

const SWITCHES = ['sshSupport', 'webSupport', 'tolerant'] as const;
const LEVELS = ['parameterReadLevel', 'parameterWriteLevel', 'controlLevel'] as const;

/** The basic data of a model, and its parent and children. */
export function BasePart({ model, draft, onChange, onBusy }: Props) {
  const { t } = useTranslation('models');
  const modelName = useModelName();
  const { t: common } = useTranslation();
  const id = useId();
  const fixed = onChange === undefined;
  const change = (part: Partial<EditedDeviceModel>) => onChange?.(part);
  const models = useQuery({
    ...queryOf('listDeviceModels', { query: { page: 1, pageSize: 100, sort: 'name' } }, { quiet: true }),
    enabled: !fixed,
  });
  const known = model.parentId === null ? [] : [{ id: model.parentId, name: model.parentName ?? '' }];
  const parents = (models.data?.items ?? known).filter((one) => one.id !== model.id);
  const levelsFit = controlLevelIsValid(draft.controlLevel, draft.parameterWriteLevel);

  return (
    <div className={`${css.modelFields} ${css.modelBase}`}>
      <Field id={`${id}-name`} label={t('name')} fault={draft.name.trim() === '' ? t('nameMissing') : undefined}>
        <Input
          id={`${id}-name`}
          value={fixed ? modelName(draft.name) : draft.name}
          maxLength={64}
          disabled={fixed}
          autoComplete="off"
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <Field id={`${id}-vendor`} label={t('vendor')}>
        <Input
          id={`${id}-vendor`}
          value={draft.vendor}
          maxLength={64}
          disabled={fixed}
          autoComplete="off"
          onChange={(event) => change({ vendor: event.target.value })}
        />
      </Field>
      <Field id={`${id}-type`} label={t('deviceType')}>
        <Select<number>
          id={`${id}-type`}
          value={draft.type}
          disabled={fixed}
          options={Object.keys(DEVICE_TYPES).map((key) => ({
            value: Number(key),
            label: common(`deviceType.${key as '1'}`),
          }))}
          onChange={(type) => change({ type })}
        />
      </Field>
      <Field id={`${id}-parent`} label={t('parent')} hint={t('parentHint')}>
        <Select<number>
          id={`${id}-parent`}
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          value={draft.parentId}
          disabled={fixed}
          placeholder={t('noParent')}
          options={parents.map((one) => ({ value: one.id, label: modelName(one.name) }))}
          onChange={(parentId: number | undefined) => change({ parentId: parentId ?? null })}
        />
      </Field>
      <Field id={`${id}-protocol`} label={t('protocol')} hint={t('protocolHint')}>
        <Select<ModelProtocol>
          id={`${id}-protocol`}
          allowClear
          value={draft.protocol ?? null}
          disabled={fixed}
          placeholder={t('anyProtocol')}
          options={MODEL_PROTOCOLS.map((protocol) => ({ value: protocol, label: common(`modelProtocol.${protocol}`) }))}
          onChange={(protocol: ModelProtocol | undefined) => change({ protocol: protocol ?? null })}
        />
      </Field>
      <Field id={`${id}-connectors`} label={t('connectorCount')} hint={t('connectorCountHint')}>
        <InputNumber<number>
          id={`${id}-connectors`}
          value={draft.connectorCount ?? null}
          min={1}
          max={MAX_CONNECTORS}
          precision={0}
          disabled={fixed}
          placeholder={t('anyConnectorCount')}
          onChange={(connectorCount) => change({ connectorCount })}
        />
      </Field>
      <Field id={`${id}-silence`} label={t('silence')} hint={t('silenceHint', { seconds: SILENCE_SECONDS.default })}>
        <InputNumber<number>
          id={`${id}-silence`}
          value={draft.silenceSeconds ?? null}
          min={SILENCE_SECONDS.least}
          max={SILENCE_SECONDS.most}
          precision={0}
          placeholder={`${SILENCE_SECONDS.default}`}
          disabled={fixed}
          onChange={(silenceSeconds) => change({ silenceSeconds })}
        />
      </Field>
      <fieldset className={css.modelSwitches}>
        <legend>{t('abilities')}</legend>
        {SWITCHES.map((name) => (
          <div key={name}>
            <Switch
              id={`${id}-${name}`}
              checked={draft[name]}
              disabled={fixed}
              aria-label={t(`switch.${name}`)}
              onChange={(checked) => change({ [name]: checked })}
            />
            <label htmlFor={`${id}-${name}`}>{t(`switch.${name}`)}</label>
            <span className="quiet">{t(`switchHint.${name}`)}</span>
          </div>
        ))}
      </fieldset>
      <fieldset className={css.modelSwitches}>
        <legend>{t('levels')}</legend>
        {LEVELS.map((name) => (
          <div key={name}>
            <LevelSelect
              label={t(`level.${name}`)}
              value={draft[name]}
              disabled={fixed}
              onChange={(level) => change({ [name]: level })}
            />
            <span>{t(`level.${name}`)}</span>
            <span className="quiet">{t(`levelHint.${name}`)}</span>
          </div>
        ))}
        {!levelsFit && (
          <p className="model-fault" role="alert">
            {t('levelsFault')}
          </p>
        )}
      </fieldset>
      {PICTURES.filter(([key]) => !fixed || model[key] !== null).map(([key, purpose]) => (
        <div key={key} className={css.modelField}>
          <span className={css.modelLabel}>{t(`picture.${purpose}`)}</span>
          {fixed ? (
            <StoredPicture of={model[key]!} alt={t(`picture.${purpose}`)} width={160} height={100} />
          ) : (
            <PictureField
              label={t(`picture.${purpose}`)}
              purpose={purpose}
              value={draft[key]}
              onChange={(value) => change({ [key]: value })}
              onBusy={onBusy}
            />
          )}
        </div>
      ))}
      {model.children.length > 0 && (
        <p className={css.modelFieldWide}>
          {t('children')}
          {model.children.map((child) => (
            <Link key={child.id} className={css.modelChild} to={`/manage/device-model/${child.id}`}>
              {child.name}
            </Link>
          ))}
        </p>
      )}
    </div>
  );
}
