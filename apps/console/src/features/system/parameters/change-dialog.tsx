import type { SystemParameterRow } from '@chargehand/contract';
import { isParameterValue, type ParameterKey, systemParameter } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { InputNumber } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { ErasedNote, useErased } from './erased-note.tsx';
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
  // What the dialog opened with: a change of somebody else must not be overwritten unseen.
  const [revision] = useState(row.revision);
  const environment = useQuery(queryOf('listEnvironmentSettings', {}));
  const { key, base } = row;
  const { least, most, setting, unit } = systemParameter(key);
  const name = texts.label(key);
  const valid = isParameterValue(key, value);
  const erased = useErased(key, valid ? value : null, row.value);
  const isSet = environment.data?.items.some((one) => one.name === setting && one.set) ?? false;
  return (
    <Confirm
      title={name}
      ok={erased.deletes ? t('changeAndDelete') : t('save')}
      danger={erased.deletes}
      ready={valid && value !== row.value && erased.known}
      entered={value}
      run={async () => {
        await call('setSystemParameter', { params: { key }, body: { value: value === base ? null : value, revision } });
        await refresh('listSystemParameters', 'listSystemParameterChanges');
      }}
      onDone={() => {
        toast.success(t('saved', { name }));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{texts.help(key)}</p>
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
    </Confirm>
  );
}
