import type { SiteRow } from '@chargehand/contract';
import { SITE_STATES, type SiteState } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { useListQuery } from '../../../shared/hooks/use-list-query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { type DataColumn, DataTable } from '../../../shared/ui/data-table.tsx';
import { CustomerPicker } from '../../../shared/ui/pickers.tsx';
import { SiteStateTag } from '../../../shared/ui/site-state-tag.tsx';
import { Dash } from '../../../shared/ui/time-ago.tsx';
import { PlaceFilters } from '../places/place-filters.tsx';
import { sitePath } from '../places/place-paths.ts';
import { PlaceState } from '../places/place-state.tsx';
import { RegionFilter } from '../places/region-filter.tsx';
import { usePlaceRights } from '../places/use-place-rights.ts';
import { SiteActions } from './site-actions.tsx';
import { SITE_LIST, type SiteFilters, type SiteSort, siteFiltersOf } from './site-list.ts';
import { useSiteBulk } from './use-site-bulk.ts';
import '../places/places.css';

/** The sites in scope, or those of one customer, with search and filters. */
export function SiteTable({ customerId }: { customerId?: number }) {
  const { t } = useTranslation('places');
  const { t: routes } = useTranslation('routes');
  const navigate = useNavigate();
  const mayOpen = usePermitted(['auth_site_detail']);
  const { editSite } = usePlaceRights();
  const list = useListQuery(SITE_LIST);
  const { page, pageSize, sort } = list.query;
  const filters = siteFiltersOf(list.query);
  const ofOne = customerId !== undefined;
  const sites = useQuery({
    ...queryOf(
      'listSites',
      { query: { page, pageSize, sort, ...filters, ...(ofOne && { customerId }) } },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
  });
  const bulk = useSiteBulk(editSite);
  const columns: DataColumn<SiteRow, SiteSort>[] = [
    {
      name: 'name',
      always: true,
      title: t('name'),
      sortBy: 'name',
      render: (_, site) =>
        mayOpen ? (
          <Link className="place-name" to={sitePath(site.id)} tabIndex={-1}>
            {site.name}
          </Link>
        ) : (
          <span className="place-name">{site.name}</span>
        ),
    },
    { name: 'code', title: t('code'), sortBy: 'code', render: (_, site) => <span className="mono">{site.code}</span> },
    { name: 'condition', title: t('site.condition'), render: (_, site) => <SiteStateTag state={site.state} /> },
    {
      name: 'state',
      optional: true,
      title: t('state'),
      render: (_, site) => <PlaceState enabled={site.enabled} />,
    },
    ...(ofOne ? [] : [{ name: 'customer', title: t('customer'), dataIndex: 'customerName' }]),
    {
      name: 'devices',
      title: t('devices'),
      align: 'end',
      render: (_, site) => site.deviceCount.toLocaleString('en-US'),
    },
    {
      name: 'alarms',
      title: t('activeAlarms'),
      align: 'end',
      render: (_, { activeAlarms }) => (activeAlarms > 0 ? <strong>{activeAlarms}</strong> : <Dash />),
    },
    { name: 'contact', title: t('site.contact'), render: (_, site) => site.contact || <Dash /> },
    { name: 'region', optional: true, title: t('region.label'), render: (_, site) => site.regionName || <Dash /> },
    { name: 'address', title: t('address'), render: (_, site) => site.address || <Dash /> },
    {
      title: <span className="visually-hidden">{t('actions')}</span>,
      key: 'actions',
      width: 40,
      align: 'end' as const,
      render: (_, site) => <SiteActions site={site} mayEdit={editSite} />,
    },
  ];
  return (
    <div className="stack">
      <PlaceFilters
        search={list.query.search}
        enabled={list.query.enabled}
        filtered={list.filtered}
        change={list.change}
        clear={list.clear}
      >
        {!ofOne && (
          <CustomerPicker
            value={list.query.customerId}
            placeholder={t('customer')}
            onChange={(id) => list.change({ customerId: id })}
          />
        )}
        <RegionFilter value={list.query.region} change={list.change} />
        <Select
          allowClear
          value={filters.state}
          placeholder={t('site.condition')}
          aria-label={t('site.condition')}
          popupMatchSelectWidth={false}
          options={SITE_STATES.map((state) => ({ value: state, label: <SiteStateTag state={state} /> }))}
          onChange={(state: SiteState | undefined) => list.change({ state })}
        />
      </PlaceFilters>
      <DataTable<SiteRow, SiteFilters, SiteSort>
        label={routes('siteList')}
        query={sites}
        list={list}
        // On a customer's page nobody can ask for what is hidden at first.
        columns={columns.filter(({ optional }) => !ofOne || !optional)}
        rowKey="id"
        keep={ofOne ? undefined : 'sites'}
        bulk={bulk}
        onOpen={mayOpen ? (site) => navigate(sitePath(site.id)) : undefined}
        empty={{ text: t('noSites') }}
        compact={(site) => (
          <div className="place-card">
            <div className="place-card-line">
              <strong>{site.name}</strong>
              <SiteActions site={site} mayEdit={editSite} />
            </div>
            <div className="place-card-line quiet">
              <span className="mono">{site.code}</span>
              {!ofOne && <span>{site.customerName}</span>}
            </div>
            {site.regionName && <div className="place-card-line quiet">{site.regionName}</div>}
            <div className="place-card-line quiet">
              <SiteStateTag state={site.state} />
              <span>{t('deviceCount', { count: site.deviceCount })}</span>
              {site.activeAlarms > 0 && <span>{t('alarmCount', { count: site.activeAlarms })}</span>}
            </div>
          </div>
        )}
      />
    </div>
  );
}
