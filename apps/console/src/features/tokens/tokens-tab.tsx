import type { TokenRow } from '@chargehand/contract';
import { TOKEN_TYPES } from '@chargehand/domain';
import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, download } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { useList } from '../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../shared/lib/lists/list-query.ts';
import { usePermitted } from '../../shared/session/permitted.tsx';
import { useUser } from '../../shared/session/use-user.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { lazyDialog } from '../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import { MoreMenu } from '../../shared/ui/dialogs/more-menu.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import type { BulkAction, BulkDialogProps } from '../../shared/ui/list/bulk-action.ts';
import { SearchField } from '../../shared/ui/list/search-field.tsx';
import type { DataColumn } from '../../shared/ui/list-page/data-table.tsx';
import { FilterSelect } from '../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../shared/ui/list-page/list-page.tsx';
import { SitePicker } from '../../shared/ui/list-page/pickers.tsx';
import { Dash, ExactTime } from '../../shared/ui/values/time-ago.tsx';
import { ImportTokens } from './import-tokens.tsx';
import { TokenDialog } from './token-dialog.tsx';
import { TokenStateTag } from './token-state.tsx';
import css from './tokens.module.css';

const SORTS = ['holder', 'createdAt', 'validUntil'] as const;
const STATES = ['valid', 'blocked', 'expired', 'notYet'] as const;
const filters = { siteId: 'number', tokenType: TOKEN_TYPES, tokenState: STATES } as const;
const SPEC: ListSpec<typeof filters, (typeof SORTS)[number]> = { filters, sorts: SORTS };
const REFRESHES = ['listTokens', 'listUnknownTokens', 'listDeviceTokenLists'] as const;

const ChangeSelected = lazyDialog(() => import('./change-selected.tsx'));
const SETS = {
  validUntil: (props: BulkDialogProps) => <ChangeSelected {...props} change="validUntil" />,
  group: (props: BulkDialogProps) => <ChangeSelected {...props} change="group" />,
  sites: (props: BulkDialogProps) => <ChangeSelected {...props} change="sites" />,
};

type Open = { kind: 'edit'; token: TokenRow | null } | { kind: 'delete'; token: TokenRow } | { kind: 'import' };

/** The tokens in scope. The search is not in the address of the page, because values are personal data. */
export function TokensTab() {
  const { t } = useTranslation('tokens');
  const { user } = useUser();
  const mayEdit = usePermitted(['auth_token_edit']) && (user.root || !user.readOnly);
  const [search, setSearch] = useState<string>();
  const [open, setOpen] = useState<Open | null>(null);
  const list = useList(SPEC, 'listTokens', (query) => ({
    body: { ...query, ...(search ? { search } : {}) },
  }));
  const masked = list.rows.data?.items.some((token) => token.masked) ?? false;
  const bulk = useMemo((): readonly BulkAction[] => {
    const change = (key: 'block' | 'unblock' | 'delete', more: { danger?: boolean; typed?: boolean } = {}) => ({
      ...{ key, label: t(`bulk.${key}`), text: t(`bulkText.${key}`), refreshes: REFRESHES, ...more },
      run: (ids: number[]) => call('changeTokens', { body: { ids, tokenChange: key } }, { quiet: true }),
    });
    const set = (key: keyof typeof SETS) => ({ key, label: t(`bulk.${key}`), dialog: SETS[key] });
    return [
      ...[change('block', { danger: true }), change('unblock'), set('validUntil'), set('group'), set('sites')],
      change('delete', { danger: true, typed: true }),
    ];
  }, [t]);

  const block = async (token: TokenRow) => {
    const tokenChange = token.blockedAt === null ? 'block' : 'unblock';
    const { results } = await call('changeTokens', { body: { ids: [token.id], tokenChange } });
    const [result] = results;
    if (result && result.code !== 0) toast.error(result.message);
    else toast.success(t(tokenChange === 'block' ? 'blockedNow' : 'unblockedNow', { value: token.value }));
    await refresh(...REFRESHES);
  };
  const actions = (token: TokenRow) =>
    mayEdit && (
      <MoreMenu
        size="small"
        label={t('actionsOf', { value: token.value })}
        items={[
          { key: 'edit', label: t('edit'), onClick: () => setOpen({ kind: 'edit', token }) },
          {
            key: 'block',
            label: t(token.blockedAt === null ? 'block' : 'unblock'),
            onClick: () => void block(token),
          },
          { key: 'delete', danger: true, label: t('delete'), onClick: () => setOpen({ kind: 'delete', token }) },
        ]}
      />
    );
  const sites = (token: TokenRow) => {
    if (token.allSites) return <span className="quiet">{t('allSites')}</span>;
    if (token.sites.length === 0) return <span className="quiet">{t('noSites')}</span>;
    return token.sites.map(({ name }) => name).join(', ');
  };
  const columns: DataColumn<TokenRow, (typeof SORTS)[number]>[] = [
    { title: t('value'), width: 130, render: (_, { value }) => <span className={`mono breaks`}>{value}</span> },
    { title: t('type'), render: (_, { type }) => t(`types.${type}`) },
    { title: t('holder'), sortBy: 'holder', render: (_, { holder }) => holder || <Dash /> },
    { title: t('state'), render: (_, { state }) => <TokenStateTag state={state} /> },
    { title: t('validUntil'), sortBy: 'validUntil', render: (_, { validUntil }) => <ExactTime at={validUntil} /> },
    { title: t('group'), render: (_, { group }) => (group ? <span className="mono">{group}</span> : <Dash />) },
    { title: t('sites'), render: (_, token) => <span className="breaks">{sites(token)}</span> },
    { title: t('customer'), dataIndex: 'customerName' },
  ];
  const add = mayEdit && (
    <Button type="primary" onClick={() => setOpen({ kind: 'edit', token: null })}>
      {t('add')}
    </Button>
  );
  const close = () => setOpen(null);
  return (
    <>
      {mayEdit && (
        <div className={css.actions}>
          <Button onClick={() => setOpen({ kind: 'import' })}>{t('import.open')}</Button>
          {add}
        </div>
      )}
      {masked && <p className="quiet">{t('maskedHint')}</p>}
      <ListSection
        label={t('tabs.tokens')}
        list={list}
        filters={
          <>
            {!masked && <SearchField value={search} label={t('search')} onSearch={setSearch} />}
            <FilterSelect
              {...list.field('tokenState')}
              label={t('state')}
              options={STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
            />
          </>
        }
        moreFilters={
          <>
            <FilterSelect
              {...list.field('tokenType')}
              label={t('type')}
              options={TOKEN_TYPES.map((value) => ({ value, label: t(`types.${value}`) }))}
            />
            <SitePicker {...list.field('siteId')} placeholder={t('site')} />
          </>
        }
        onExport={
          masked ? undefined : (query, options) => download('exportTokens', { query: exported(query) }, options)
        }
        columns={columns}
        rowActions={actions}
        onOpen={mayEdit ? (token) => setOpen({ kind: 'edit', token }) : undefined}
        bulk={mayEdit ? { actions: bulk, nameOf: ({ value }) => value } : undefined}
        empty={t('empty')}
        emptyAction={add}
        compact={(token) => (
          <ListCard title={<span className={`mono breaks`}>{token.value}</span>} aside={actions(token)}>
            <CardLine>
              <TokenStateTag state={token.state} /> {t(`types.${token.type}`)}
            </CardLine>
            <CardLine>
              {token.holder || t('noHolder')} · {sites(token)}
            </CardLine>
          </ListCard>
        )}
      />
      {open?.kind === 'edit' && <TokenDialog token={open.token} onClose={close} />}
      {open?.kind === 'import' && <ImportTokens onClose={close} />}
      {open?.kind === 'delete' && (
        <Confirm
          title={t('deleteTitle', { value: open.token.value })}
          ok={t('delete')}
          danger
          run={() => call('deleteToken', { params: { id: open.token.id } }, { quiet: true })}
          onDone={() => {
            toast.success(t('deleted', { value: open.token.value }));
            close();
            void refresh(...REFRESHES);
          }}
          onClose={close}
        >
          <p>{t('deleteText')}</p>
        </Confirm>
      )}
    </>
  );
}

/** The filters of an export; it is always ordered like its columns. */
function exported<Q extends { sort?: unknown }>({ sort: _, ...query }: Q): Omit<Q, 'sort'> {
  return query;
}
