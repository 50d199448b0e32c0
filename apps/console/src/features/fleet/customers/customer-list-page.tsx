import type { CustomerRow } from '@chargehand/contract';
import { CUSTOMER } from '@chargehand/contract/customer';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { download } from '../../../shared/api/client.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useOwnNavigate } from '../../../shared/ui/dialogs/own-navigate.ts';
import type { DataColumn } from '../../../shared/ui/list-page/data-table.tsx';
import { EnabledFilter } from '../../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListPage } from '../../../shared/ui/list-page/list-page.tsx';
import { Emblem } from '../../../shared/ui/pictures/stored-picture.tsx';
import { useFieldColumns } from '../../../shared/ui/resource/columns.tsx';
import { Dash } from '../../../shared/ui/values/time-ago.tsx';
import { customerPath } from '../places/place-paths.ts';
import css from '../places/places.module.css';
import { RegionFilter } from '../places/region/region-filter.tsx';
import { usePlaceRights } from '../places/use-place-rights.ts';
import { CustomerActions } from './customer-actions.tsx';
import { CustomerFormDialog } from './customer-form-dialog.tsx';
import { CustomerMarks } from './customer-marks.tsx';

/** Every customer in scope. */
export default function CustomerListPage() {
  const { t } = useTranslation('places');
  const { t: routes } = useTranslation('routes');
  const navigate = useOwnNavigate();
  const mayOpen = usePermitted(['auth_customer_detail']);
  const rights = usePlaceRights();
  const [adding, setAdding] = useState(false);
  const list = useList(CUSTOMER, 'listCustomers', (query) => ({ query }));
  const may = { edit: rights.manageCustomer, manage: rights.manageCustomer };
  const { name, code, contact, ...others } = useFieldColumns(CUSTOMER.fields);
  const columns: DataColumn<CustomerRow, (typeof CUSTOMER.sorts)[number]>[] = [
    {
      ...name,
      always: true,
      sortBy: 'name',
      render: (_, customer) =>
        mayOpen ? (
          <Link className={`${css.placeName} with-emblem`} to={customerPath(customer.id)} tabIndex={-1}>
            <Emblem of={customer.logo} name={customer.name} size={20} />
            {customer.name}
          </Link>
        ) : (
          <span className={css.placeName}>{customer.name}</span>
        ),
    },
    { ...code, sortBy: 'code', render: (_, customer) => <span className="mono no-break">{customer.code}</span> },
    { name: 'state', title: t('state'), render: (_, customer) => <CustomerMarks customer={customer} always /> },
    { name: 'region', title: t('region.label'), render: (_, customer) => customer.regionName || <Dash /> },
    contact,
    ...Object.values(others),
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
  ];

  return (
    <ListPage
      title={routes('customerList')}
      list={list}
      search={t('search')}
      filters={
        <>
          <RegionFilter {...list.field('region')} />
          <EnabledFilter label={t('state')} on={t('enabled')} off={t('disabled')} {...list.field('enabled')} />
        </>
      }
      onExport={
        rights.exportCustomers ? (query, options) => download('exportCustomers', { query }, options) : undefined
      }
      actions={
        rights.addCustomer && (
          <Button type="primary" onClick={() => setAdding(true)}>
            {t('customerAdd')}
          </Button>
        )
      }
      columns={columns}
      rowActions={(customer) => <CustomerActions customer={customer} may={may} />}
      keep="customers"
      onOpen={mayOpen ? (customer) => navigate(customerPath(customer.id)) : undefined}
      empty={t('noCustomers')}
      compact={(customer) => (
        <ListCard title={customer.name} aside={<CustomerActions customer={customer} may={may} />}>
          <CardLine>
            <span className="mono">{customer.code}</span>
            <CustomerMarks customer={customer} />
            {customer.regionName && <span>{customer.regionName}</span>}
          </CardLine>
          <CardLine>
            <span>{t('siteCount', { count: customer.siteCount })}</span>
            <span>{t('deviceCount', { count: customer.deviceCount })}</span>
            {customer.userCount !== null && <span>{t('userCount', { count: customer.userCount })}</span>}
          </CardLine>
        </ListCard>
      )}
    >
      {adding && (
        <CustomerFormDialog
          manage
          onClose={() => setAdding(false)}
          onCreated={mayOpen ? (id) => navigate(customerPath(id)) : undefined}
        />
      )}
    </ListPage>
  );
}
