import type { RegionEntryRow } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useMedia } from '../../shared/hooks/use-media.ts';
import { SearchField } from '../../shared/ui/list/search-field.tsx';
import { FilterCheck } from '../../shared/ui/list-page/filter-check.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { Pager } from '../../shared/ui/table/pager.tsx';
import { Table } from '../../shared/ui/table/table.tsx';
import { Dash } from '../../shared/ui/values/time-ago.tsx';
import { ChangesDrawer } from './changes-drawer.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { EntryButtons, EntryCard, LastChange, type OpenEntry, States } from './entry-parts.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import '../../shared/ui/list-page/data-table.css';
import css from './dictionaries.module.css';

type Open = { what: 'add' | 'history' } | OpenEntry<RegionEntryRow>;

const PAGE_SIZE = 20;

/** The regions. There are thousands, so the server searches them and sends one page at a time. */
export function RegionsTab() {
  const { t } = useTranslation('dictionary');
  const [search, setSearch] = useState<string>();
  const [onlyChanged, setOnlyChanged] = useState(false);
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<Open | null>(null);
  const narrow = useMedia('(max-width: 760px)');
  const regions = useQuery({
    ...queryOf('listRegionEntries', {
      query: { page, pageSize: PAGE_SIZE, ...(search && { search }), ...(onlyChanged && { changed: true }) },
    }),
    placeholderData: keepPreviousData,
  });
  if (!regions.data) {
    const retry = () => void regions.refetch();
    return regions.isError ? <ErrorState error={regions.error} onRetry={retry} /> : <SkeletonRows rows={8} />;
  }
  const { items, total } = regions.data;
  // After a removal, the page may be beyond the last one.
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE));
  if (page > last && !regions.isPlaceholderData) setPage(last);
  const close = () => setOpen(null);
  const code = (row: RegionEntryRow) => <code className="breaks">{row.code}</code>;
  const buttons = (row: RegionEntryRow) => <EntryButtons row={row} onOpen={setOpen} />;
  const columns = [
    { title: t('code'), render: (_: unknown, row: RegionEntryRow) => code(row) },
    { title: t('nameEn'), render: (_: unknown, row: RegionEntryRow) => row.nameEn },
    { title: t('nameZh'), render: (_: unknown, row: RegionEntryRow) => row.nameZh },
    { title: t('level'), render: (_: unknown, row: RegionEntryRow) => t(`levels.${row.level}`) },
    { title: t('parent'), render: (_: unknown, row: RegionEntryRow) => row.parentName || <Dash /> },
    { title: t('state'), render: (_: unknown, row: RegionEntryRow) => <States row={row} /> },
    { title: t('last'), render: (_: unknown, row: RegionEntryRow) => <LastChange row={row} /> },
    { title: '', key: 'actions', render: (_: unknown, row: RegionEntryRow) => buttons(row) },
  ];
  const compact = (row: RegionEntryRow) => (
    <EntryCard row={row} onOpen={setOpen}>
      <span className="quiet">
        {t(`levels.${row.level}`)}
        {row.parentName && ` · ${row.parentName}`}
      </span>
    </EntryCard>
  );
  return (
    <div className="stack">
      <p className="quiet">{t('hints.regions')}</p>
      <div className="filters">
        <SearchField
          value={search}
          label={t('search')}
          onSearch={(text) => {
            setSearch(text);
            setPage(1);
          }}
        />
        <FilterCheck
          checked={onlyChanged}
          onChange={(checked) => {
            setOnlyChanged(checked);
            setPage(1);
          }}
        >
          {t('onlyChanged')}
        </FilterCheck>
        <span className={css.actions}>
          <Button onClick={() => setOpen({ what: 'history' })}>{t('allHistory')}</Button>
          <Button type="primary" onClick={() => setOpen({ what: 'add' })}>
            {t('add')}
          </Button>
        </span>
      </div>
      <div className="data-table">
        <Table<RegionEntryRow>
          label={t('tabs.regions')}
          rowKey="code"
          showHeader={!narrow}
          rows={items}
          columns={narrow ? [{ key: 'row', render: (_, row) => compact(row) }] : columns}
          empty={<p className="quiet">{t('noMatch')}</p>}
        />
      </div>
      <Pager page={Math.min(page, last)} pageSize={PAGE_SIZE} total={total} onPage={setPage} />
      {(open?.what === 'add' || open?.what === 'edit') && (
        <EntryDialog dictionary="regions" row={open.what === 'edit' ? open.row : null} onClose={close} />
      )}
      {open?.what === 'remove' && <RemoveDialog dictionary="regions" row={open.row} onClose={close} />}
      {(open?.what === 'history' || open?.what === 'historyOf') && (
        <ChangesDrawer dictionary="regions" code={open.what === 'historyOf' ? open.row.code : null} onClose={close} />
      )}
    </div>
  );
}
