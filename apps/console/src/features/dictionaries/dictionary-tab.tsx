import type { DictionaryRow } from '@chargehand/contract';
import { type Dictionary, hasOrder } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '../../shared/api/client.ts';
import { queryOf } from '../../shared/api/query.ts';
import { useMedia } from '../../shared/hooks/use-media.ts';
import { SearchField } from '../../shared/ui/list/search-field.tsx';
import { ExportButton } from '../../shared/ui/list-page/export-button.tsx';
import { FilterCheck } from '../../shared/ui/list-page/filter-check.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { Table } from '../../shared/ui/table/table.tsx';
import { ChangesDrawer } from './changes-drawer.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { EntryButtons, EntryCard, LastChange, type OpenEntry, States } from './entry-parts.tsx';
import { DictionaryImport } from './import/import-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import '../../shared/ui/list-page/data-table.css';
import css from './dictionaries.module.css';

type Open = { what: 'add' | 'history' | 'import' } | OpenEntry<DictionaryRow>;

/** The entries of a dictionary. */
export function DictionaryTab({ dictionary }: { dictionary: Dictionary }) {
  const { t } = useTranslation('dictionary');
  const entries = useQuery(queryOf('listDictionary', { params: { dictionary } }));
  const [search, setSearch] = useState<string>();
  const [onlyChanged, setOnlyChanged] = useState(false);
  const [open, setOpen] = useState<Open | null>(null);
  const narrow = useMedia('(max-width: 760px)');
  if (!entries.data) {
    const retry = () => void entries.refetch();
    return entries.isError ? <ErrorState error={entries.error} onRetry={retry} /> : <SkeletonRows rows={8} />;
  }
  const wanted = search?.trim().toLowerCase() ?? '';
  const rows = entries.data.items.filter(
    ({ code, nameEn, nameZh, changed }) =>
      `${code}\n${nameEn}\n${nameZh}`.toLowerCase().includes(wanted) && (changed || !onlyChanged),
  );
  const close = () => setOpen(null);
  const columns = [
    { title: t('code'), render: (_: unknown, { code }: DictionaryRow) => <code className="breaks">{code}</code> },
    { title: t('nameEn'), render: (_: unknown, row: DictionaryRow) => row.nameEn },
    { title: t('nameZh'), render: (_: unknown, row: DictionaryRow) => row.nameZh },
    ...(hasOrder(dictionary) ? [{ title: t('order'), render: (_: unknown, row: DictionaryRow) => row.position }] : []),
    { title: t('state'), render: (_: unknown, row: DictionaryRow) => <States row={row} /> },
    { title: t('last'), render: (_: unknown, row: DictionaryRow) => <LastChange row={row} /> },
    {
      title: '',
      key: 'actions',
      render: (_: unknown, row: DictionaryRow) => <EntryButtons row={row} onOpen={setOpen} />,
    },
  ];
  return (
    <div className="stack">
      <p className="quiet">{t(`hints.${dictionary}`)}</p>
      <div className="filters">
        <SearchField value={search} label={t('search')} onSearch={setSearch} />
        <FilterCheck checked={onlyChanged} onChange={setOnlyChanged}>
          {t('onlyChanged')}
        </FilterCheck>
        <span className={css.actions}>
          <ExportButton fetch={(options) => download('exportDictionary', { params: { dictionary } }, options)} />
          <Button onClick={() => setOpen({ what: 'import' })}>{t('import.open')}</Button>
          <Button onClick={() => setOpen({ what: 'history' })}>{t('allHistory')}</Button>
          <Button type="primary" onClick={() => setOpen({ what: 'add' })}>
            {t('add')}
          </Button>
        </span>
      </div>
      <div className="data-table">
        <Table<DictionaryRow>
          label={t(`tabs.${dictionary}`)}
          rowKey="code"
          showHeader={!narrow}
          rows={rows}
          columns={narrow ? [{ key: 'row', render: (_, row) => <EntryCard row={row} onOpen={setOpen} /> }] : columns}
          empty={<p className="quiet">{t('noMatch')}</p>}
        />
      </div>
      {(open?.what === 'add' || open?.what === 'edit') && (
        <EntryDialog dictionary={dictionary} row={open.what === 'edit' ? open.row : null} onClose={close} />
      )}
      {open?.what === 'import' && <DictionaryImport dictionary={dictionary} onClose={close} />}
      {open?.what === 'remove' && <RemoveDialog dictionary={dictionary} row={open.row} onClose={close} />}
      {(open?.what === 'history' || open?.what === 'historyOf') && (
        <ChangesDrawer
          dictionary={dictionary}
          code={open.what === 'historyOf' ? open.row.code : null}
          onClose={close}
        />
      )}
    </div>
  );
}
