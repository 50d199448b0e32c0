import type { DescribedItem, EditedDeviceModel, ModelItem } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../../shared/api/query.ts';
import { useMedia } from '../../../../shared/hooks/use-media.ts';
import { useLevelName } from '../../../../shared/i18n/use-level-name.ts';
import { EmptyState } from '../../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { chosenRows } from '../../../../shared/ui/table/chosen-rows.tsx';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { Table } from '../../../../shared/ui/table/table.tsx';
import { Breakable } from '../../../../shared/ui/values/breakable.tsx';
import { useNames } from '../../names.ts';
import { asInherited, type ItemField, type ItemLine, itemLines, withoutLines, withRules } from '../contents.ts';
import { AddItemsDialog } from '../dialogs/add-items-dialog.tsx';
import { RulesDialog } from '../dialogs/rules-dialog.tsx';
import { StateMark } from '../state-mark.tsx';
import { BulkBar } from './bulk-bar.tsx';
import '../../../../shared/ui/list-page/filter-bar.css';
import css from '../../models.module.css';

interface Props {
  field: ItemField;
  own: readonly ModelItem[];
  inherited: readonly DescribedItem[];
  /** the names of the models that define the entries */
  origins: ReadonlyMap<number, string>;
  base: Pick<EditedDeviceModel, 'parameterReadLevel' | 'parameterWriteLevel'>;
  /** omitted when nothing may be changed */
  onChange?: (own: ModelItem[]) => void;
}

/** The config or parameter items of a model, in the order of a device page; several can be changed at once. */
export function ItemsPart({ field, own, inherited, origins, base, onChange }: Props) {
  const { t } = useTranslation('models');
  const levelName = useLevelName();
  const { nameOf, rangeOf } = useNames();
  const narrow = useMedia('(max-width: 760px)');
  const items = useQuery(queryOf('listDataItems', {}, { quiet: true }));
  const groups = useQuery(queryOf('listItemGroups', {}, { quiet: true }));
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [open, setOpen] = useState<number | null>(null);
  const [adds, setAdds] = useState(false);
  const byId = useMemo(() => new Map((items.data?.items ?? []).map((item) => [item.id, item])), [items.data]);
  const lines = useMemo(
    () => itemLines(own, inherited, byId, groups.data?.items ?? []),
    [own, inherited, byId, groups.data],
  );
  const failed = [items, groups].find((query) => query.isError && !query.data);
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!items.data || !groups.data) return <SkeletonRows rows={8} />;

  const groupNames = new Map(groups.data.items.map(({ id, name }) => [id, nameOf(name)]));
  const text = search.trim().toLowerCase();
  const shown = lines.filter(
    ({ item }) => text === '' || `${item.key} ${item.name.en} ${item.name.zh}`.toLowerCase().includes(text),
  );
  const picked = lines.filter(({ id }) => chosen.includes(id));
  const opened = lines.find(({ id }) => id === open);
  const edits = onChange !== undefined;

  const nameCell = ({ item, state, rules, inherited: from }: ItemLine) => (
    <div className="item-names" data-removed={state === 'removed'}>
      {edits ? (
        <button type="button" className="item-open" onClick={() => setOpen(item.id)}>
          {nameOf(item.name)}
        </button>
      ) : (
        <span>{nameOf(item.name)}</span>
      )}
      <code>
        <Breakable text={item.key} />
      </code>
      {rules.secret && <span className="quiet">{t('secret')}</span>}
      {edits && <StateMark state={state} origin={from ? origins.get(from.origin) : undefined} />}
    </div>
  );
  const group = ({ rules, item }: ItemLine) => groupNames.get(rules.groupId ?? item.groupId);
  const range = ({ rules, item }: ItemLine) => rangeOf(item.type, rules.range ?? item.range);
  const unit = ({ rules, item }: ItemLine) => rules.unit ?? item.unit;

  const columns: Column<ItemLine>[] = narrow
    ? [
        {
          title: t('name'),
          render: (_, line) => (
            <>
              {nameCell(line)}
              <span className="quiet">
                {[group(line), range(line), unit(line)].filter(Boolean).join(' · ')}
                {` · ${t('short.levels', { read: levelName(line.rules.readLevel), write: levelName(line.rules.writeLevel) })}`}
              </span>
            </>
          ),
        },
      ]
    : [
        { title: t('name'), render: (_, line) => nameCell(line) },
        { title: t('group'), className: 'item-short', render: (_, line) => group(line) },
        {
          title: t('range.label'),
          render: (_, line) => (
            <>
              <span
                className={`${css.itemRange} mono`}
                data-own={line.rules.range !== null}
                title={line.rules.range ?? line.item.range}
              >
                {range(line)} {unit(line)}
              </span>
              <span className={`quiet ${css.itemType}`}>{t(`itemType.${line.item.type}`)}</span>
            </>
          ),
        },
        {
          title: t('priority'),
          className: 'item-short',
          align: 'end',
          render: (_, { rules }) => rules.priority,
        },
        {
          title: t('short.read'),
          className: 'item-short',
          align: 'end',
          render: (_, { rules }) => levelName(rules.readLevel),
        },
        {
          title: t('short.write'),
          className: 'item-short',
          align: 'end',
          render: (_, { rules }) => levelName(rules.writeLevel),
        },
        {
          title: t('batch'),
          className: 'item-short',
          render: (_, { rules }) => t(rules.batch ? 'yes' : 'no'),
        },
      ];
  const check = chosenRows({
    rows: shown,
    keyOf: ({ id }) => id,
    chosen,
    onChange: setChosen,
    labels: { all: t('chooseAll'), of: ({ item }) => t('choose', { name: nameOf(item.name) }) },
  });

  return (
    <div className="stack">
      <div className="filters">
        <Input.Search
          className="filters-search"
          allowClear
          value={search}
          placeholder={t('item.search')}
          aria-label={t('item.search')}
          onChange={(event) => setSearch(event.target.value)}
        />
        {edits && <Button onClick={() => setAdds(true)}>{t('items.add')}</Button>}
      </div>
      {edits && picked.length > 0 && (
        <BulkBar
          count={picked.length}
          onSet={(change) => onChange(withRules(own, picked, change))}
          onRemove={() => {
            onChange(withoutLines(own, picked));
            setChosen([]);
          }}
          onInherit={
            picked.some(({ state }) => state === 'overridden' || state === 'removed')
              ? () =>
                  onChange(
                    asInherited(
                      own,
                      picked.filter((line) => line.inherited !== null),
                    ),
                  )
              : undefined
          }
        />
      )}
      <div className={css.modelTable}>
        <Table<ItemLine>
          label={t(`part.${field}`, { count: lines.length })}
          rows={shown}
          scrollWidth={narrow ? undefined : 760}
          empty={<EmptyState text={text === '' ? t('items.empty') : t('items.noMatch')} />}
          columns={edits ? [check, ...columns] : columns}
        />
      </div>
      {edits && opened && (
        <RulesDialog
          line={opened}
          field={field}
          groups={groups.data.items}
          onSave={(rules) => onChange(withRules(own, [opened], rules))}
          onClose={() => setOpen(null)}
        />
      )}
      {edits && adds && (
        <AddItemsDialog
          items={items.data.items.filter(({ id }) => !lines.some((line) => line.id === id && line.state !== 'removed'))}
          groupNames={groupNames}
          onAdd={(ids) =>
            onChange([...own.filter(({ dataItemId }) => !ids.includes(dataItemId)), ...added(ids, lines, field, base)])
          }
          onClose={() => setAdds(false)}
        />
      )}
    </div>
  );
}

/** The distance between two priorities, which leaves room for items between them. */
const STEP = 10;

/** New items with default values, after the existing ones. */
function added(ids: readonly number[], lines: readonly ItemLine[], field: ItemField, base: Props['base']): ModelItem[] {
  const last = Math.max(0, ...lines.map(({ rules }) => rules.priority));
  return ids.map((dataItemId, index) => ({
    ...{ dataItemId, removed: false, groupId: null, range: null, unit: null },
    priority: Math.min(9_999, last + (index + 1) * STEP),
    readLevel: base.parameterReadLevel,
    writeLevel: field === 'configs' ? 0 : base.parameterWriteLevel,
    batch: field === 'parameters',
  }));
}
