import type { CustomerRow } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { download } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useListQuery } from '../../../shared/hooks/use-list-query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { type DataColumn, DataTable } from '../../../shared/ui/data-table.tsx';
import { ExportButton } from '../../../shared/ui/export-button.tsx';
import { Page } from '../../../shared/ui/page-header.tsx';
import { Emblem } from '../../../shared/ui/stored-picture.tsx';
import { Dash } from '../../../shared/ui/time-ago.tsx';
import { PlaceFilters } from '../places/place-filters.tsx';
import { customerPath } from '../places/place-paths.ts';
import { RegionFilter } from '../places/region-filter.tsx';
import { usePlaceRights } from '../places/use-place-rights.ts';
import { CustomerActions } from './customer-actions.tsx';
import { CustomerFormDialog } from './customer-form-dialog.tsx';
import { CUSTOMER_LIST, type CustomerFilters, type CustomerSort, customerFiltersOf } from './customer-list.ts';
import { CustomerMarks } from './customer-marks.tsx';
import '../places/places.css';

/** Every customer in scope. */
export default function CustomerListPage() {
  const { t } = useTranslation('places');
  const { t: routes } = useTranslation('routes');
  const navigate = useNavigate();
  const mayOpen = usePermitted(['auth_customer_detail']);
  const rights = usePlaceRights();
  const [adding, setAdding] = useState(false);
  const list = useListQuery(CUSTOMER_LIST);
  const { page, pageSize, sort, search, enabled } = list.query;
  const filters = customerFiltersOf(list.query);
  const customers = useQuery({
    ...queryOf('listCustomers', { query: { page, pageSize, sort, ...filters } }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const may = { edit: rights.manageCustomer, manage: rights.manageCustomer };
  const columns: DataColumn<CustomerRow, CustomerSort>[] = [
    {
      name: 'name',
      always: true,
      title: t('name'),
      sortBy: 'name',
      render: (_, customer) =>
        mayOpen ? (
          <Link className="place-name with-emblem" to={customerPath(customer.id)} tabIndex={-1}>
            <Emblem of={customer.logo} name={customer.name} size={20} />
            {customer.name}
          </Link>
        ) : (
          <span className="place-name">{customer.name}</span>
        ),
    },
    {
      name: 'code',
      title: t('code'),
      sortBy: 'code',
      render: (_, customer) => <span className="mono">{customer.code}</span>,
    },
    { name: 'state', title: t('state'), render: (_, customer) => <CustomerMarks customer={customer} always /> },
    { name: 'region', title: t('region.label'), render: (_, customer) => customer.regionName || <Dash /> },
    { name: 'contact', title: t('contact'), render: (_, customer) => customer.contact || <Dash /> },
    { name: 'sites', title: t('sites'), align: 'end', render: (_, { siteCount }) => siteCount.toLocaleString('en-US') },
    {
      name: 'devices',
      title: t('devices'),
      align: 'end',
      render: (_, { deviceCount }) => deviceCount.toLocaleString('en-US'),
    },
    {
      name: 'users',
      title: t('users'),
      align: 'end',
      render: (_, { userCount }) => (userCount === null ? <Dash /> : userCount.toLocaleString('en-US')),
    },
    {
      title: <span className="visually-hidden">{t('actions')}</span>,
      key: 'actions',
      width: 40,
      align: 'end' as const,
      render: (_, customer) => <CustomerActions customer={customer} may={may} />,
    },
  ];

  return (
    <Page
      title={routes('customerList')}
      actions={
        <>
          {rights.exportCustomers && (
            <ExportButton
              fetch={(options) => download('exportCustomers', { query: { sort, ...filters } }, options)}
              rows={customers.data?.total}
              disabled={customers.data?.total === 0}
            />
          )}
          {rights.addCustomer && (
            <Button type="primary" onClick={() => setAdding(true)}>
              {t('customerAdd')}
            </Button>
          )}
        </>
      }
    >
      <PlaceFilters search={search} enabled={enabled} filtered={list.filtered} change={list.change} clear={list.clear}>
        <RegionFilter value={list.query.region} change={list.change} />
      </PlaceFilters>
      <DataTable<CustomerRow, CustomerFilters, CustomerSort>
        label={routes('customerList')}
        query={customers}
        list={list}
        columns={columns}
        rowKey="id"
        keep="customers"
        onOpen={mayOpen ? (customer) => navigate(customerPath(customer.id)) : undefined}
        empty={{ text: t('noCustomers') }}
        compact={(customer) => (
          <div className="place-card">
            <div className="place-card-line">
              <strong>{customer.name}</strong>
              <CustomerActions customer={customer} may={may} />
            </div>
            <div className="place-card-line quiet">
              <span className="mono">{customer.code}</span>
              <CustomerMarks customer={customer} />
              {customer.regionName && <span>{customer.regionName}</span>}
            </div>
            <div className="place-card-line quiet">
              <span>{t('siteCount', { count: customer.siteCount })}</span>
              <span>{t('deviceCount', { count: customer.deviceCount })}</span>
              {customer.userCount !== null && <span>{t('userCount', { count: customer.userCount })}</span>}
            </div>
          </div>
        )}
      />
      {adding && (
        <CustomerFormDialog
          manage
          onClose={() => setAdding(false)}
          onCreated={mayOpen ? (id) => navigate(customerPath(id)) : undefined}
        />
      )}
    </Page>
  );
}
