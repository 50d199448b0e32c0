import type { DescribedItem, DescribedRule, ModelItem, ModelRule } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../../shared/api/query.ts';
import { EmptyState } from '../../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { AlarmLevel } from '../../../../shared/ui/tags/alarm-level.tsx';
import { RuleSentence } from '../../../../shared/ui/values/rule-terms.tsx';
import css from '../../models.module.css';
import { useNames } from '../../names.ts';
import { itemLines } from '../contents.ts';
import { RuleDialog, type RuleItem } from '../dialogs/rule-dialog.tsx';
import { type RuleLine, ruleLines, withRule } from '../rules.ts';
import { StateMark } from '../state-mark.tsx';

interface Props {
  own: readonly ModelRule[];
  inherited: readonly DescribedRule[];
  configs: { own: readonly ModelItem[]; inherited: readonly DescribedItem[] };
  origins: ReadonlyMap<number, string>;
  /** omitted when nothing may be changed */
  onChange?: (own: ModelRule[]) => void;
}

/** The alarm rules of a model, its own and the inherited ones. */
export function RulesPart({ own, inherited, configs, origins, onChange }: Props) {
  const { t } = useTranslation('rules');
  const { nameOf } = useNames();
  const data = useQuery(queryOf('listDataItems', {}, { quiet: true }));
  const groups = useQuery(queryOf('listItemGroups', {}, { quiet: true }));
  const [open, setOpen] = useState<RuleLine | 'new' | null>(null);
  const failed = [data, groups].find((query) => query.isError && !query.data);
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!data.data || !groups.data) return <SkeletonRows rows={6} />;

  const byId = new Map(data.data.items.map((item) => [item.id, item]));
  const items = itemLines(configs.own, configs.inherited, byId, groups.data.items)
    .filter(({ state }) => state !== 'removed')
    .map(
      ({ item, rules }): RuleItem => ({
        ...item,
        ...{ unit: rules.unit ?? item.unit, range: rules.range ?? item.range },
      }),
    );
  const lines = ruleLines(own, inherited);
  const set = (line: RuleLine, next: ModelRule | 'removed' | 'inherited') => onChange?.(withRule(own, line, next));
  const buttons = (line: RuleLine) => {
    const button = (word: 'edit' | 'override' | 'remove' | 'restore', run: () => void) => (
      <Button size="small" aria-label={t('part.of', { word: t(`part.${word}`), code: line.code })} onClick={run}>
        {t(`part.${word}`)}
      </Button>
    );
    if (line.state === 'removed') return button('restore', () => set(line, 'inherited'));
    return (
      <>
        {button(line.state === 'inherited' ? 'override' : 'edit', () => setOpen(line))}
        {line.state === 'overridden'
          ? button('restore', () => set(line, 'inherited'))
          : button('remove', () => set(line, 'removed'))}
      </>
    );
  };

  return (
    <div className="stack">
      <p className="quiet">{t('part.hint')}</p>
      {onChange && (
        <div className="field-row">
          <Button disabled={items.length === 0} onClick={() => setOpen('new')}>
            {t('part.add')}
          </Button>
          {items.length === 0 && <span className="quiet">{t('part.noItems')}</span>}
        </div>
      )}
      {lines.length === 0 ? (
        <EmptyState text={t('part.empty')} />
      ) : (
        <ul className="control-list rule-list">
          {lines.map((line) => {
            const { rule } = line;
            const item = items.find(({ id }) => id === rule.dataItemId);
            const known = item ?? byId.get(rule.dataItemId);
            return (
              <li key={line.code} data-state={line.state} data-enabled={rule.enabled}>
                <AlarmLevel level={rule.level} />
                <div className={css.ruleText} data-removed={line.state === 'removed'}>
                  <span className={css.controlText}>
                    <span className={css.controlName} data-removed={line.state === 'removed'}>
                      {nameOf(rule.name)}
                    </span>
                    <code>{rule.code}</code>
                    <span className="quiet">{t(`kinds.${rule.kind}`)}</span>
                    {!rule.enabled && <span className="quiet">{t('part.disabled')}</span>}
                    {onChange && (
                      <StateMark
                        state={line.state}
                        origin={line.inherited ? origins.get(line.inherited.origin) : undefined}
                      />
                    )}
                  </span>
                  <span className={`quiet ${css.ruleTerms}`}>
                    <RuleSentence terms={rule} item={known ? nameOf(known.name) : ''} unit={known?.unit ?? ''} />
                    {rule.connector !== null && (
                      <>
                        {t('separator')}
                        {rule.connector === 0 ? t('onDevice') : t('onConnector', { number: rule.connector })}
                      </>
                    )}
                  </span>
                  {!item && line.state !== 'removed' && <span className="model-fault">{t('part.lost')}</span>}
                </div>
                {onChange && <span className="field-row">{buttons(line)}</span>}
              </li>
            );
          })}
        </ul>
      )}
      {open && (
        <RuleDialog
          line={open === 'new' ? null : open}
          items={items}
          taken={lines.map(({ code }) => code)}
          onSave={(rule) => set(open === 'new' ? { code: rule.code, state: 'own', rule, inherited: null } : open, rule)}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}
