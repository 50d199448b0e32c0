import type { DataItemRow, ModelRule } from '@chargehand/contract';
import {
  ALARM_LEVELS,
  type AlarmLevel,
  boundsOf,
  conditionsOf,
  hasValues,
  isProtocolKey,
  MAX_RULE_SECONDS,
  parseRange,
  RULE_KINDS,
  type RuleCondition,
  type RuleKind,
  ruleFault,
} from '@chargehand/domain';
import { Input, InputNumber, Select, Switch } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEdited } from '../../../../shared/hooks/use-edited.ts';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../../shared/ui/dialogs/leave-guard.tsx';
import { RuleSentence } from '../../../../shared/ui/values/rule-terms.tsx';
import { Field } from '../../field.tsx';
import css from '../../models.module.css';
import { useNames } from '../../names.ts';
import type { RuleLine } from '../rules.ts';

/** A config item of the model that a rule can use, with its effective unit and range. */
export type RuleItem = Pick<DataItemRow, 'id' | 'key' | 'name' | 'type' | 'unit' | 'range'>;

interface Props {
  /** the rule to change; omitted for a new one */
  line: RuleLine | null;
  items: readonly RuleItem[];
  /** the codes that already exist in the model */
  taken: readonly string[];
  onSave(rule: ModelRule): void;
  onClose(): void;
}

/** An alarm rule of a model, with its sentence. */
export function RuleDialog({ line, items, taken, onSave, onClose }: Props) {
  const { t } = useTranslation('rules');
  const { t: common } = useTranslation();
  const { nameOf, entryOptions } = useNames();
  const id = useId();
  const [rule, setRule] = useState<ModelRule>(() => line?.rule ?? newRule(items[0]!));
  const { close, guard } = useGuardedClose(useEdited(rule), onClose);
  const change = (part: Partial<ModelRule>) => setRule((before) => ({ ...before, ...part }));
  // Missing values are only shown after the user has left the field.
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const leave = (name: string) => setLeft((before) => new Set(before).add(name));
  const item = items.find((one) => one.id === rule.dataItemId);
  const type = item?.type ?? 1;
  const bounds = boundsOf(rule.condition);
  const fault = ruleFault(rule, type);
  const codeTaken = line === null && taken.includes(rule.code);
  const named = rule.name.en.trim() !== '' && rule.name.zh.trim() !== '';
  const codeFits = rule.code.length <= 64 && isProtocolKey(rule.code);
  const ready = fault === null && named && codeFits && !codeTaken && item !== undefined;
  const about = (condition: RuleCondition, more: Partial<ModelRule> = {}) => {
    const needs = boundsOf(condition);
    change({
      condition,
      low: needs.low ? rule.low : null,
      high: needs.high ? rule.high : null,
      values: hasValues(condition) ? rule.values : [],
      hysteresis: needs.low || needs.high ? rule.hysteresis : 0,
      ...more,
    });
  };
  const { range } = parseRange(type, item?.range ?? '');
  const choices =
    range?.type === 4
      ? entryOptions(range.entries).map(({ label, value }) => ({ value, label: `${label} · ${value}` }))
      : [];
  const text = (name: string, label: string, value: string, onText: (value: string) => void, more = {}) => (
    <Field id={`${id}-${name}`} label={label} {...more}>
      <Input
        id={`${id}-${name}`}
        value={value}
        maxLength={64}
        autoComplete="off"
        disabled={name === 'code' && line !== null}
        onChange={(event) => onText(event.target.value)}
      />
    </Field>
  );
  const number = (name: 'low' | 'high' | 'hysteresis', fits: boolean, hint?: string) => (
    <Field
      id={`${id}-${name}`}
      label={t(`dialog.${name}`)}
      hint={hint}
      fault={fits || (rule[name] === null && !left.has(name)) ? undefined : t(`fault.${fault ?? 'bounds'}`)}
    >
      <InputNumber<number>
        id={`${id}-${name}`}
        value={rule[name]}
        {...(name === 'hysteresis' && { min: 0 })}
        suffix={item?.unit || undefined}
        onBlur={() => leave(name)}
        onChange={(value) => change({ [name]: name === 'hysteresis' ? (value ?? 0) : value })}
      />
    </Field>
  );

  return (
    <Dialog
      title={line ? t('dialog.title', { code: line.code }) : t('dialog.new')}
      okText={t('dialog.apply')}
      cancelText={common('cancel')}
      okButtonProps={{ disabled: !ready }}
      onOk={() => {
        onSave(rule);
        onClose();
      }}
      onCancel={close}
      width={720}
    >
      {guard}
      <div className="dialog-text">
        <div className={css.modelFields}>
          {text('code', t('dialog.code'), rule.code, (code) => change({ code }), {
            hint: line === null ? t('dialog.codeHint') : undefined,
            fault: codeTaken ? t('dialog.codeTaken') : undefined,
          })}
          <Field id={`${id}-enabled`} label={t('dialog.enabled')}>
            <span>
              <Switch
                id={`${id}-enabled`}
                checked={rule.enabled}
                aria-label={t('dialog.enabled')}
                onChange={(enabled) => change({ enabled })}
              />
            </span>
          </Field>
          {text('en', t('dialog.nameEn'), rule.name.en, (en) => change({ name: { ...rule.name, en } }))}
          {text('zh', t('dialog.nameZh'), rule.name.zh, (zh) => change({ name: { ...rule.name, zh } }))}
          <Field id={`${id}-item`} label={t('dialog.item')}>
            <Select<number>
              id={`${id}-item`}
              showSearch={{ optionFilterProp: 'label' }}
              value={item ? rule.dataItemId : undefined}
              options={items.map((one) => ({ value: one.id, label: `${nameOf(one.name)} · ${one.key}` }))}
              onChange={(dataItemId: number) => {
                const possible = conditionsOf(items.find((one) => one.id === dataItemId)!.type);
                const condition = possible.includes(rule.condition) ? rule.condition : possible[0]!;
                about(condition, { dataItemId, values: [] });
              }}
            />
          </Field>
          <Field id={`${id}-condition`} label={t('dialog.condition')}>
            <Select<RuleCondition>
              id={`${id}-condition`}
              value={rule.condition}
              options={conditionsOf(type).map((value) => ({ value, label: t(`condition.${value}`) }))}
              onChange={(condition: RuleCondition) => about(condition)}
            />
          </Field>
          {bounds.low && number('low', rule.low === null ? fault !== 'bounds' : fault !== 'order')}
          {bounds.high && number('high', rule.high !== null || fault !== 'bounds')}
          {(bounds.low || bounds.high) && number('hysteresis', fault !== 'hysteresis', t('dialog.hysteresisHint'))}
          {hasValues(rule.condition) && (
            <Field
              id={`${id}-values`}
              label={t('dialog.values')}
              wide
              hint={t('dialog.valuesHint')}
              fault={fault === 'values' && left.has('values') ? t('fault.values') : undefined}
            >
              <Select<string[]>
                id={`${id}-values`}
                mode={choices.length > 0 ? 'multiple' : 'tags'}
                value={[...rule.values]}
                options={choices}
                onBlur={() => leave('values')}
                onChange={(values: string[]) => change({ values })}
              />
            </Field>
          )}
          <Field
            id={`${id}-duration`}
            label={t('dialog.duration')}
            hint={t(`dialog.${hintOf(rule.condition)}`)}
            fault={fault === 'duration' ? t('fault.duration') : undefined}
          >
            <InputNumber<number>
              id={`${id}-duration`}
              value={rule.durationSeconds}
              min={0}
              max={MAX_RULE_SECONDS}
              precision={0}
              suffix={t('dialog.secondsUnit')}
              onChange={(value) => change({ durationSeconds: value ?? 0 })}
            />
          </Field>
          <Field
            id={`${id}-connector`}
            label={t('dialog.connector')}
            hint={t(rule.condition === 'missing' ? 'dialog.connectorMissing' : 'dialog.connectorHint')}
          >
            <InputNumber<number>
              id={`${id}-connector`}
              value={rule.connector}
              min={0}
              max={1_000}
              precision={0}
              onChange={(connector) => change({ connector })}
            />
          </Field>
          <Field id={`${id}-kind`} label={t('dialog.kind')}>
            <Select<RuleKind>
              id={`${id}-kind`}
              value={rule.kind}
              options={RULE_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
              onChange={(kind: RuleKind) => change({ kind })}
            />
          </Field>
          <Field id={`${id}-level`} label={t('dialog.level')}>
            <Select<AlarmLevel>
              id={`${id}-level`}
              value={rule.level}
              options={ALARM_LEVELS.map((value) => ({ value, label: `${value} ${common(`alarmLevel.${value}`)}` }))}
              onChange={(level: AlarmLevel) => change({ level })}
            />
          </Field>
          <p className={`rule-preview ${css.modelFieldWide}`}>
            <span className={css.modelLabel}>{t('dialog.preview')}</span>
            <span>
              <RuleSentence terms={rule} item={item ? nameOf(item.name) : ''} unit={item?.unit ?? ''} />
            </span>
          </p>
        </div>
      </div>
    </Dialog>
  );
}

function hintOf(condition: RuleCondition): 'changedHint' | 'missingHint' | 'durationHint' {
  if (condition === 'changed') return 'changedHint';
  return condition === 'missing' ? 'missingHint' : 'durationHint';
}

function newRule(item: RuleItem): ModelRule {
  return {
    ...{ code: '', removed: false, enabled: true, name: { en: '', zh: '' }, kind: 'alarm', level: 'MA' },
    ...{ dataItemId: item.id, connector: null, condition: conditionsOf(item.type)[0]!, low: null, high: null },
    ...{ values: [], hysteresis: 0, durationSeconds: 0 },
  };
}
