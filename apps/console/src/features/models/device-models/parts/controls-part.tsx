import type { DescribedControl, EditedDeviceModel, ModelControl } from '@chargehand/contract';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLevelName } from '../../../../shared/i18n/use-level-name.ts';
import css from '../../models.module.css';
import { useNames } from '../../names.ts';
import { type ControlLine, controlLines, withControl } from '../contents.ts';
import { ControlDialog } from '../dialogs/control-dialog.tsx';
import { StateMark } from '../state-mark.tsx';

interface Props {
  own: readonly ModelControl[];
  inherited: readonly DescribedControl[];
  origins: ReadonlyMap<number, string>;
  base: Pick<EditedDeviceModel, 'parameterWriteLevel' | 'controlLevel'>;
  /** omitted when nothing may be changed */
  onChange?: (own: ModelControl[]) => void;
}

/** The control types, and which of them the model supports. */
export function ControlsPart({ own, inherited, origins, base, onChange }: Props) {
  const { t } = useTranslation('models');
  const levelName = useLevelName();
  const { nameOf } = useNames();
  const [open, setOpen] = useState<ControlLine | null>(null);
  const lines = controlLines(own, inherited).filter(({ state }) => onChange !== undefined || state !== 'absent');
  const set = (line: ControlLine, next: ModelControl | 'removed' | 'inherited') =>
    onChange?.(withControl(own, line, next));
  const buttons = (line: ControlLine) => {
    const standard = t(`control.${line.type}`);
    const button = (word: 'add' | 'change' | 'override' | 'remove' | 'restore', run: () => void) => (
      <Button size="small" aria-label={`${t(`controls.${word}`)} ${standard}`} onClick={run}>
        {t(`controls.${word}`)}
      </Button>
    );
    const opens = () => setOpen(line);
    switch (line.state) {
      case 'absent':
        return button('add', opens);
      case 'removed':
        return button('restore', () => set(line, 'inherited'));
      case 'inherited':
        return (
          <>
            {button('override', opens)}
            {button('remove', () => set(line, 'removed'))}
          </>
        );
      case 'overridden':
        return (
          <>
            {button('change', opens)}
            {button('restore', () => set(line, 'inherited'))}
          </>
        );
      case 'own':
        return (
          <>
            {button('change', opens)}
            {button('remove', () => set(line, 'removed'))}
          </>
        );
    }
  };

  return (
    <div className="stack">
      <p className="quiet">{t('controls.hint', { level: levelName(base.parameterWriteLevel) })}</p>
      <ul className="control-list">
        {lines.map((line) => {
          const { control, state } = line;
          const params = [control?.param1, control?.param2].flatMap((param) => (param ? [nameOf(param)] : []));
          return (
            <li key={line.type} data-state={state}>
              <span className={`${css.controlType} mono`}>{line.type}</span>
              <div className={css.controlText}>
                <span className={css.controlName} data-removed={state === 'removed'}>
                  {control ? nameOf(control.name) : t(`control.${line.type}`)}
                </span>
                <span className={`quiet ${css.controlNote}`}>
                  {control && state !== 'removed'
                    ? [
                        t('controls.level', { level: levelName(control.level) }),
                        control.reading && t(`reading.${control.reading}`),
                        params.length > 0 && t('controls.params', { params: params.join(t('controls.comma')) }),
                        control.precondition && t(`precondition.${control.precondition}`),
                      ]
                        .filter(Boolean)
                        .join(' · ')
                    : t('controls.absent')}
                </span>
                {onChange && (
                  <StateMark state={state} origin={line.inherited ? origins.get(line.inherited.origin) : undefined} />
                )}
              </div>
              {onChange && <span className="field-row">{buttons(line)}</span>}
            </li>
          );
        })}
      </ul>
      {open && (
        <ControlDialog line={open} base={base} onSave={(control) => set(open, control)} onClose={() => setOpen(null)} />
      )}
    </div>
  );
}
