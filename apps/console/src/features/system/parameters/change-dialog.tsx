import type { SystemParameterRow } from '@chargehand/contract';
import { isParameterValue, type ParameterKey, systemParameter } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { InputNumber } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { ErasedNote, useErased } from './erased-note.tsx';
import { ParameterConfirm } from './parameter-confirm.tsx';
import { useParameterTexts } from './parameter-texts.ts';
import css from './parameters.module.css';

/** A parameter that is a number. */
export type NumberRow = SystemParameterRow & { key: ParameterKey; value: number; base: number };

/** Changes one parameter. A shorter retention is confirmed after the number of deleted entries is known. */
export function ChangeDialog({ row, onClose }: { row: NumberRow; onClose(): void }) {
  const { t } = useTranslation('system-parameters');
  const texts = useParameterTexts();
  const id = useId();
  const [value, setValue] = useState<number | null>(row.value);
  const environment = useQuery(queryOf('listEnvironmentSettings', {}));
  const { key, base } = row;
  const { least, most, setting, unit } = systemParameter(key);
  const name = texts.label(key);
  const valid = isParameterValue(key, value);
  const erased = useErased(key, valid ? value : null, row.value);
  const isSet = environment.data?.items.some((one) => one.name === setting && one.set) ?? false;
  return (
    <ParameterConfirm
      row={row}
      entered={value}
      value={value === base ? null : value}
      ready={valid && value !== row.value && erased.known}
      deletes={erased.deletes}
      onClose={onClose}
    >
      <label htmlFor={id}>{name}</label>
      <div className={css.field}>
        <InputNumber
          id={id}
          className={css.number}
          value={value}
          status={valid ? undefined : 'error'}
          aria-invalid={!valid}
          aria-describedby={`${id}-hint`}
          autoFocus
          onChange={setValue}
        />
        {unit !== 'count' && <span>{t(`unitNames.${unit}`)}</span>}
        {value !== base && (
          <button type="button" className="text-button" onClick={() => setValue(base)}>
            {t('useDefault', { value: texts.value(key, base) })}
          </button>
        )}
      </div>
      <p id={`${id}-hint`} className={valid ? 'quiet' : 'error-note'}>
        {t('range', { least: least.toLocaleString('en-US'), most: most.toLocaleString('en-US') })}
        {!valid && ` ${texts.why(key)}`}
      </p>
      {setting !== undefined && isSet && <p className="quiet">{t('fromEnvironment', { setting })}</p>}
      <ErasedNote erased={erased} value={value ?? 0} />
    </ParameterConfirm>
  );
}
