import type { AlarmCodeRow } from '@chargehand/contract';
import { ALARM_LEVELS, RULE_KINDS } from '@chargehand/domain';
import { Input, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../shared/api/client.ts';
import { refresh } from '../../../../shared/api/query.ts';
import { Confirm } from '../../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../../shared/ui/dialogs/toast.ts';
import { Field } from '../../field.tsx';

/** The name and level of a code on a model. A shared code is overridden for the model. */
export function CodeDialog({ modelId, row, onClose }: { modelId: number; row: AlarmCodeRow | null; onClose(): void }) {
  const { t } = useTranslation('rules');
  const { t: common } = useTranslation();
  const id = useId();
  const [values, setValues] = useState(() => {
    const { code, nameEn, nameZh, kind, level } = row ?? { code: '', nameEn: '', nameZh: '', kind: null, level: null };
    return { code, nameEn, nameZh, kind, level };
  });
  const change = (part: Partial<typeof values>) => setValues((before) => ({ ...before, ...part }));
  const text = (name: 'code' | 'nameEn' | 'nameZh', limit: number) => (
    <Field id={`${id}-${name}`} label={t(`dialog.${name}`)}>
      <Input
        id={`${id}-${name}`}
        value={values[name]}
        maxLength={limit}
        autoComplete="off"
        disabled={name === 'code' && row !== null}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </Field>
  );
  // A separate option for "as reported by the device", because null cannot be an option.
  const choice = <T extends string>(
    name: 'kind' | 'level',
    value: T | null,
    options: { value: T; label: string }[],
    onChoose: (value: T | null) => void,
  ) => (
    <Field id={`${id}-${name}`} label={t(`dialog.${name}`)}>
      <Select<T | 'reported'>
        id={`${id}-${name}`}
        value={value ?? 'reported'}
        options={[{ value: 'reported', label: t('codes.asReported') }, ...options]}
        onChange={(next: T | 'reported') => onChoose(next === 'reported' ? null : (next as T))}
      />
    </Field>
  );
  return (
    <Confirm
      title={row ? t('codes.title', { code: row.code }) : t('codes.new')}
      ok={t('codes.save')}
      width={520}
      ready={[values.code, values.nameEn, values.nameZh].every((one) => one.trim() !== '')}
      entered={values}
      run={() => call('saveAlarmCode', { params: { id: modelId }, body: values }, { quiet: true })}
      onDone={() => {
        toast.success(t('codes.saved', { code: values.code.trim() }));
        onClose();
        void refresh('listAlarmCodes');
      }}
      onClose={onClose}
    >
      {text('code', 64)}
      {text('nameEn', 100)}
      {text('nameZh', 100)}
      {choice(
        'kind',
        values.kind,
        RULE_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) })),
        (kind) => change({ kind }),
      )}
      {choice(
        'level',
        values.level,
        ALARM_LEVELS.map((value) => ({ value, label: `${value} ${common(`alarmLevel.${value}`)}` })),
        (level) => change({ level }),
      )}
    </Confirm>
  );
}
