import type { ItemGroupRow, ModelItem } from '@chargehand/contract';
import { parseRange } from '@chargehand/domain';
import { Checkbox, Input, InputNumber, Select, Switch } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEdited } from '../../../../shared/hooks/use-edited.ts';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../../shared/ui/dialogs/leave-guard.tsx';
import { Field } from '../../field.tsx';
import { LevelSelect } from '../../level-select.tsx';
import css from '../../models.module.css';
import { useNames } from '../../names.ts';
import { RangeEditor, RangePreview } from '../../range-editor.tsx';
import type { ItemField, ItemLine } from '../contents.ts';

interface Props {
  line: ItemLine;
  field: ItemField;
  groups: readonly ItemGroupRow[];
  onSave(rules: ModelItem): void;
  onClose(): void;
}

/** The settings of an item in a model: its group, its levels, and its differences from the data item. */
export function RulesDialog({ line, field, groups, onSave, onClose }: Props) {
  const { t } = useTranslation('models');
  const { t: common } = useTranslation();
  const { nameOf } = useNames();
  const id = useId();
  const { item } = line;
  const [rules, setRules] = useState<ModelItem>(line.rules);
  const { close, guard } = useGuardedClose(useEdited(rules), onClose);
  const change = (part: Partial<ModelItem>) => setRules((before) => ({ ...before, ...part }));
  const range = rules.range ?? item.range;
  const unit = rules.unit ?? item.unit;
  const fits = rules.range === null || parseRange(item.type, rules.range).problem === null;
  const standard = groups.find((group) => group.id === item.groupId);

  return (
    <Dialog
      title={nameOf(item.name)}
      okText={t('rules.apply')}
      cancelText={common('cancel')}
      okButtonProps={{ disabled: !fits }}
      onOk={() => {
        onSave(rules);
        onClose();
      }}
      onCancel={close}
      width={760}
    >
      {guard}
      <div className="dialog-text">
        <p className="quiet">
          <code>{item.key}</code> · {t(`itemType.${item.type}`)}
        </p>
        <div className={css.modelFields}>
          <Field id={`${id}-group`} label={t('group')}>
            <Select<number>
              id={`${id}-group`}
              value={rules.groupId ?? 0}
              options={[
                { value: 0, label: t('rules.asItem', { value: standard ? nameOf(standard.name) : '' }) },
                ...groups
                  .filter((group) => group.id !== item.groupId)
                  .map((group) => ({ value: group.id, label: nameOf(group.name) })),
              ]}
              onChange={(groupId) => change({ groupId: groupId === 0 ? null : groupId })}
            />
          </Field>
          <Field id={`${id}-priority`} label={t('priority')} hint={t('rules.priorityHint')}>
            <InputNumber<number>
              id={`${id}-priority`}
              min={0}
              max={9_999}
              precision={0}
              value={rules.priority}
              onChange={(priority) => change({ priority: priority ?? 0 })}
            />
          </Field>
          <div className={`field-row ${css.modelFieldWide}`}>
            <span className="field-pair">
              {t('readLevel')}
              <LevelSelect
                label={t('readLevel')}
                value={rules.readLevel}
                onChange={(readLevel) => change({ readLevel })}
              />
            </span>
            <span className="field-pair">
              {t('writeLevel')}
              <LevelSelect
                label={t('writeLevel')}
                value={rules.writeLevel}
                onChange={(writeLevel) => change({ writeLevel })}
              />
            </span>
            <span className="field-pair">
              <label htmlFor={`${id}-batch`}>{t('batch')}</label>
              <Switch
                id={`${id}-batch`}
                size="small"
                checked={rules.batch}
                aria-label={t('batch')}
                onChange={(batch) => change({ batch })}
              />
            </span>
            {field === 'parameters' && (
              <>
                <span className="field-pair">
                  <label htmlFor={`${id}-secret`}>{t('secret')}</label>
                  <Switch
                    id={`${id}-secret`}
                    size="small"
                    checked={rules.secret ?? false}
                    aria-label={t('secret')}
                    aria-describedby={`${id}-secret-hint`}
                    onChange={(secret) => change({ secret })}
                  />
                </span>
                <p className="quiet" id={`${id}-secret-hint`}>
                  {t('secretHint')}
                </p>
              </>
            )}
          </div>
          <div className={`${css.modelField} ${css.modelFieldWide}`}>
            <Checkbox
              checked={rules.range !== null}
              onChange={(event) => change({ range: event.target.checked ? item.range : null })}
            >
              {t('rules.ownRange')}
            </Checkbox>
            {rules.range === null ? (
              <div className={css.rangeEditor}>
                <pre className={`${css.rangeText} mono`}>{item.range === '' ? t('rules.widest') : item.range}</pre>
                <RangePreview type={item.type} range={range} unit={unit} />
              </div>
            ) : (
              <RangeEditor
                type={item.type}
                unit={unit}
                value={rules.range}
                onChange={(next) => change({ range: next })}
              />
            )}
          </div>
          <Field id={`${id}-unit`} label={t('unit')}>
            <Input
              id={`${id}-unit`}
              value={rules.unit ?? ''}
              maxLength={16}
              autoComplete="off"
              placeholder={t('rules.asItem', { value: item.unit })}
              onChange={(event) => change({ unit: event.target.value === '' ? null : event.target.value })}
            />
          </Field>
        </div>
      </div>
    </Dialog>
  );
}
