import type { DataItemRow } from '@chargehand/contract';
import type { ItemType } from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useListQuery } from '../../../shared/hooks/lists/use-list-query.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { ClearFilters, FilterBar, FilterSelect } from '../../../shared/ui/list-page/filter-bar.tsx';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { useEditsModels, useNames } from '../names.ts';
import { Sortable } from '../sortable.tsx';
import { ItemDialog } from './item-dialog.tsx';
import { ItemRow } from './item-row.tsx';
import '../models.module.css';

const filters = { search: 'text', type: 'number', groupId: 'number' } as const;
const SPEC: ListSpec<typeof filters, never> = { filters, sorts: [] };
const TYPES: readonly ItemType[] = [1, 2, 3, 4];

/** The data model: all quantities and parameters by group, in a custom order. */
export default function ItemListPage() {
  const { t } = useTranslation('models');
  const { t: common } = useTranslation();
  const { t: routes } = useTranslation('routes');
  const { nameOf } = useNames();
  const edits = useEditsModels();
  const list = useListQuery(SPEC);
  const { search = '', type, groupId } = list.query;
  const groups = useQuery(queryOf('listItemGroups', {}, { quiet: true }));
  const items = useQuery(queryOf('listDataItems', {}, { quiet: true }));
  const [open, setOpen] = useState<DataItemRow | 'new' | null>(null);
  const order = useMutation({
    mutationFn: (body: { groupId: number; ids: number[] }) => call('orderDataItems', { body }, { quiet: true }),
    onError: (error) => toast.error(error instanceof ApiProblem ? error.message : common('com_error_system')),
    onSettled: () => refresh('listDataItems'),
  });

  const failed = [groups, items].find((query) => query.isError && !query.data);
  const text = search.toLowerCase();
  const found = (item: DataItemRow) =>
    (text === '' || `${item.key} ${item.name.en} ${item.name.zh}`.toLowerCase().includes(text)) &&
    (type === undefined || item.type === type);
  const shown = (groups.data?.items ?? [])
    .filter(({ id }) => groupId === undefined || id === groupId)
    .map((group) => ({
      group,
      rows: (items.data?.items ?? []).filter((item) => item.groupId === group.id && found(item)),
    }))
    .filter(({ rows }) => rows.length > 0);
  // The order can only be changed when all items of the group are shown.
  const whole = text === '' && type === undefined;

  return (
    <Page
      title={routes('configModelList')}
      note={t('item.count', { count: items.data?.items.length ?? 0 })}
      actions={
        edits && (
          <Button
            type="primary"
            disabled={!groups.data || groups.data.items.length === 0}
            onClick={() => setOpen('new')}
          >
            {t('item.add')}
          </Button>
        )
      }
    >
      <FilterBar
        list={list}
        search={t('item.search')}
        extra={edits && !whole && <span className="quiet">{t('order.filtered')}</span>}
      >
        <FilterSelect
          label={t('type')}
          options={TYPES.map((value) => ({ value, label: t(`itemType.${value}`) }))}
          {...list.field('type')}
        />
        <FilterSelect
          label={t('group')}
          options={groups.data?.items.map(({ id, name }) => ({ value: id, label: nameOf(name) }))}
          {...list.field('groupId')}
        />
      </FilterBar>
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : !groups.data || !items.data ? (
        <SkeletonRows rows={12} />
      ) : shown.length === 0 ? (
        <EmptyState
          text={list.filtered ? common('table.noMatch') : t('item.empty')}
          action={list.filtered && <ClearFilters onClear={list.clear} />}
        />
      ) : (
        shown.map(({ group, rows }) => (
          <Panel
            key={group.id}
            title={nameOf(group.name)}
            extra={<span className="quiet">{t('item.count', { count: rows.length })}</span>}
          >
            <Sortable
              label={nameOf(group.name)}
              items={rows}
              nameOf={(item) => nameOf(item.name)}
              onOrder={edits && whole ? (ids) => order.mutate({ groupId: group.id, ids }) : undefined}
            >
              {(item) => <ItemRow item={item} edits={edits} onOpen={() => setOpen(item)} />}
            </Sortable>
          </Panel>
        ))
      )}
      {open !== null && groups.data && (
        <ItemDialog
          item={open === 'new' ? null : open}
          groups={groups.data.items}
          firstGroup={groupId}
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  );
}
