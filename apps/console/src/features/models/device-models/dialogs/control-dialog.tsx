import type { EditedDeviceModel, ModelControl } from '@chargehand/contract';
import {
  type Bilingual,
  type ControlReading,
  controlProblem,
  PRECONDITIONS,
  type Precondition,
  readingsOf,
} from '@chargehand/domain';
import { Input, Radio, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEdited } from '../../../../shared/hooks/use-edited.ts';
import { useLevelName } from '../../../../shared/i18n/use-level-name.ts';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../../shared/ui/dialogs/leave-guard.tsx';
import { Field } from '../../field.tsx';
import { LevelSelect } from '../../level-select.tsx';
import css from '../../models.module.css';
import type { ControlLine } from '../contents.ts';

interface Props {
  line: ControlLine;
  base: Pick<EditedDeviceModel, 'parameterWriteLevel' | 'controlLevel'>;
  onSave(control: ModelControl): void;
  onClose(): void;
}

const NO_NAME: Bilingual = { en: '', zh: '' };

/** The settings of one control of a model. */
export function ControlDialog({ line, base, onSave, onClose }: Props) {
  const { t } = useTranslation('models');
  const levelName = useLevelName();
  const { t: common } = useTranslation();
  const id = useId();
  const readings = readingsOf(line.type);
  const [control, setControl] = useState<ModelControl>(
    () =>
      line.control ?? {
        ...{ type: line.type, removed: false, name: NO_NAME, level: base.controlLevel, param1: null, param2: null },
        ...{ reading: readings[0] ?? null, precondition: null },
      },
  );
  const { close, guard } = useGuardedClose(useEdited(control), onClose);
  const change = (part: Partial<ModelControl>) => setControl((before) => ({ ...before, ...part }));
  const problem = controlProblem(control, base.parameterWriteLevel);
  const complete = ({ en, zh }: Bilingual) => en.trim() !== '' && zh.trim() !== '';
  const params = [control.param1, control.param2];
  const ready =
    problem === null && complete(control.name) && params.every((param) => param === null || complete(param));
  const param = (name: 'param1' | 'param2', part: Partial<Bilingual>) => {
    const next = { ...(control[name] ?? NO_NAME), ...part };
    change({ [name]: next.en === '' && next.zh === '' ? null : next });
  };
  const names = (name: 'name' | 'param1' | 'param2') =>
    (['en', 'zh'] as const).map((language) => (
      <Field key={language} id={`${id}-${name}-${language}`} label={t(`controls.${name}.${language}`)}>
        <Input
          id={`${id}-${name}-${language}`}
          value={control[name]?.[language] ?? ''}
          maxLength={64}
          autoComplete="off"
          onChange={(event) => {
            const part = { [language]: event.target.value };
            if (name === 'name') change({ name: { ...control.name, ...part } });
            else param(name, part);
          }}
        />
      </Field>
    ));

  return (
    <Dialog
      title={`${line.type} ${t(`control.${line.type}`)}`}
      okText={t('rules.apply')}
      cancelText={common('cancel')}
      okButtonProps={{ disabled: !ready }}
      onOk={() => {
        onSave({ ...control, removed: false });
        onClose();
      }}
      onCancel={close}
      width={720}
    >
      {guard}
      <div className="dialog-text">
        <div className={css.modelFields}>
          {names('name')}
          {readings.length > 0 && (
            <fieldset className={`${css.modelSwitches} ${css.modelFieldWide}`}>
              <legend>{t('controls.reading')}</legend>
              <Radio.Group
                value={control.reading}
                options={readings.map((value) => ({ value, label: t(`reading.${value}`) }))}
                onChange={(event) => change({ reading: event.target.value as ControlReading })}
              />
            </fieldset>
          )}
          <div className={css.modelField}>
            <span className={css.modelLabel}>{t('controls.levelLabel')}</span>
            <LevelSelect
              small={false}
              label={t('controls.levelLabel')}
              value={control.level}
              onChange={(level) => change({ level })}
            />
            {problem === 'controlLevelLow' ? (
              <p className="model-fault" role="alert">
                {t('controls.levelLow', { level: levelName(base.parameterWriteLevel) })}
              </p>
            ) : (
              <p className="quiet">{t('controls.levelHint', { level: levelName(base.parameterWriteLevel) })}</p>
            )}
          </div>
          <Field id={`${id}-precondition`} label={t('controls.precondition')}>
            <Select<Precondition | 'none'>
              id={`${id}-precondition`}
              value={control.precondition ?? 'none'}
              options={[
                { value: 'none', label: t('precondition.none') },
                ...PRECONDITIONS.map((value) => ({ value, label: t(`precondition.${value}`) })),
              ]}
              onChange={(value) => change({ precondition: value === 'none' ? null : value })}
            />
          </Field>
          {names('param1')}
          {names('param2')}
        </div>
      </div>
    </Dialog>
  );
}
