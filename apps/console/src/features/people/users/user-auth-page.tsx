import type { Assignments, UserDetail } from '@chargehand/contract';
import { CUSTOMER_ACCESS, SITE_ACCESS } from '@chargehand/domain';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Input, Tree } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { EDITED } from '../../../shared/api/edited.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useEntered } from '../../../shared/hooks/use-entered.ts';
import { useTabLabel } from '../../../shared/hooks/use-tab-label.ts';
import { useTyped } from '../../../shared/hooks/use-typed.ts';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { SaveBar } from '../../../shared/ui/form-page/save-bar.tsx';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import css from '../people.module.css';
import '../../../shared/ui/list-page/filter-bar.css';

/** Data authorization of a user: the customers and sites for "assigned" scope. */
export default function UserAuthPage() {
  const { t: routes } = useTranslation('routes');
  const id = Number(useParams().id);
  const user = useQuery({ ...queryOf('readUser', { params: { id } }, { quiet: true }), ...EDITED });
  const assigned = useQuery({ ...queryOf('readAssignments', { params: { id } }, { quiet: true }), ...EDITED });
  useTabLabel(user.data?.userName);
  if (user.data && assigned.data) {
    return <AssignmentForm key={id} user={user.data} assigned={assigned.data} />;
  }
  const failed = [user, assigned].find((query) => query.isError);
  return (
    <Page title={routes('userAuth')}>
      {failed ? <ErrorState error={failed.error} onRetry={() => void failed.refetch()} /> : <SkeletonRows />}
    </Page>
  );
}

function AssignmentForm({ user, assigned }: { user: UserDetail; assigned: Assignments }) {
  const roleNameOf = useRoleName();
  const { t } = useTranslation('people');
  const { t: routes } = useTranslation('routes');
  const picksCustomers = user.customerAccess === CUSTOMER_ACCESS.assigned;
  const picksSites = user.siteAccess === SITE_ACCESS.assigned;
  const [customers, setCustomers] = useEntered(assigned, customersOf);
  const [sites, setSites] = useEntered(assigned, sitesOf);
  const save = useMutation({
    mutationFn: () => {
      const body = { customerIds: [...customers], siteIds: [...sites], revision: assigned.revision };
      return call('setAssignments', { params: { id: user.id }, body }, { quiet: true });
    },
    onSuccess: async () => {
      toast.success(t('user.saved', { name: user.userName }));
      await refresh('readAssignments', 'readUser', 'listUsers');
    },
  });
  const dirty = !sameIds(customers, assigned.customers) || !sameIds(sites, assigned.sites);
  const overLimit = user.maxSites !== null && sites.size > user.maxSites;

  return (
    <Page
      title={routes('userAuth')}
      note={
        <>
          {user.userName} · {user.root ? t('user.root') : roleNameOf(user.roleName)}
        </>
      }
    >
      {!user.may.assign && <p className="warning-note">{t('user.beyond')}</p>}
      {overLimit && <p className="error-note">{t('assign.overLimit', { count: sites.size, limit: user.maxSites })}</p>}
      {picksCustomers || picksSites ? (
        <Panel
          title={t('assign.chosen', { customers: picksCustomers ? customers.size : 1, sites: sites.size })}
          extra={user.maxSites !== null && <span className="quiet">{t('assign.limit', { limit: user.maxSites })}</span>}
        >
          <p className={`quiet ${css.menuHint}`}>{t(picksCustomers ? 'assign.hintCustomers' : 'assign.hintSites')}</p>
          <AssignmentTree
            userId={user.id}
            picksCustomers={picksCustomers}
            picksSites={picksSites}
            disabled={!user.may.assign}
            customers={customers}
            sites={sites}
            onChange={(nextCustomers, nextSites) => {
              setCustomers(nextCustomers);
              setSites(nextSites);
            }}
          />
        </Panel>
      ) : (
        <Panel>
          <EmptyState text={t('assign.notNeeded')} />
        </Panel>
      )}
      {(picksCustomers || picksSites) && <SaveBar dirty={dirty} disabled={!user.may.assign || overLimit} save={save} />}
    </Page>
  );
}

interface TreeProps {
  userId: number;
  picksCustomers: boolean;
  picksSites: boolean;
  disabled: boolean;
  customers: ReadonlySet<number>;
  sites: ReadonlySet<number>;
  onChange(customers: ReadonlySet<number>, sites: ReadonlySet<number>): void;
}

/**
 * A searchable tree of customers and sites. Checking a site checks its customer; unchecking a customer unchecks its
 * sites.
 */
function AssignmentTree({ userId, picksCustomers, picksSites, disabled, customers, sites, onChange }: TreeProps) {
  const { t } = useTranslation('people');
  const [search, setSearch] = useState('');
  const typed = useTyped(search, setSearch);
  const offered = useQuery({
    ...queryOf('listAssignable', { params: { id: userId }, query: { search: search || undefined } }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const rows = offered.data?.customers ?? [];

  function tickCustomer(id: number, on: boolean) {
    const own = rows.find((customer) => customer.id === id)?.sites.map((site) => site.id) ?? [];
    onChange(
      picksCustomers ? withId(customers, id, on) : customers,
      picksSites ? own.reduce((ids, site) => withId(ids, site, on), sites) : sites,
    );
  }
  function tickSite(customerId: number, id: number, on: boolean) {
    onChange(picksCustomers && on ? withId(customers, customerId, true) : customers, withId(sites, id, on));
  }

  return (
    <div className="stack">
      <Input.Search
        className="filters-search"
        allowClear
        value={typed.text}
        placeholder={t('assign.search')}
        aria-label={t('assign.search')}
        onChange={(event) => typed.type(event.target.value)}
        onSearch={typed.settleNow}
      />
      {offered.isError && <ErrorState error={offered.error} onRetry={() => void offered.refetch()} />}
      {offered.isPending && <SkeletonRows />}
      {offered.isSuccess && rows.length === 0 && <EmptyState text={t('assign.nothingFound')} />}
      {rows.length > 0 && (
        <Tree
          key={search}
          aria-label={t('assign.tree')}
          checkable
          checkStrictly
          defaultExpandAll
          selectable={false}
          disabled={disabled}
          checkedKeys={{
            checked: [
              ...rows.filter((one) => customerTicked(one)).map((one) => `c${one.id}`),
              ...[...sites].map((id) => `s${id}`),
            ],
            halfChecked: [],
          }}
          treeData={rows.map((customer) => ({
            key: `c${customer.id}`,
            title: customer.name,
            children: picksSites
              ? customer.sites.map((site) => ({ key: `s${site.id}`, title: site.name, customerId: customer.id }))
              : [],
          }))}
          onCheck={(_, { node, checked }) => {
            const key = String(node.key);
            const id = Number(key.slice(1));
            if (key.startsWith('c')) tickCustomer(id, checked);
            else tickSite(rows.find((one) => one.sites.some((site) => site.id === id))?.id ?? 0, id, checked);
          }}
        />
      )}
      {offered.data?.more && <p className="quiet">{t('assign.more')}</p>}
    </div>
  );

  function customerTicked(customer: (typeof rows)[number]): boolean {
    if (picksCustomers) return customers.has(customer.id);
    return customer.sites.length > 0 && customer.sites.every((site) => sites.has(site.id));
  }
}

function withId(ids: ReadonlySet<number>, id: number, on: boolean): ReadonlySet<number> {
  const next = new Set(ids);
  if (on) next.add(id);
  else next.delete(id);
  return next;
}

function customersOf({ customers }: Assignments): ReadonlySet<number> {
  return new Set(customers.map(({ id }) => id));
}

function sitesOf({ sites }: Assignments): ReadonlySet<number> {
  return new Set(sites.map(({ id }) => id));
}

function sameIds(ids: ReadonlySet<number>, rows: readonly { id: number }[]): boolean {
  return ids.size === rows.length && rows.every((row) => ids.has(row.id));
}
