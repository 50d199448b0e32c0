import type { SiteRow } from '@chargehand/contract';
import { SITE } from '@chargehand/contract/site';
import { SITE_STATES } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { filtersIn } from '../../../shared/lib/lists/list-query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import type { DataColumn } from '../../../shared/ui/list-page/data-table.tsx';
import { EnabledFilter, FilterSelect } from '../../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../../shared/ui/list-page/list-page.tsx';
import { CustomerPicker } from '../../../shared/ui/list-page/pickers.tsx';
import { useFieldColumns } from '../../../shared/ui/resource/columns.tsx';
import { SiteStateTag } from '../../../shared/ui/tags/site-state-tag.tsx';
import { Dash } from '../../../shared/ui/values/time-ago.tsx';
import { sitePath } from '../places/place-paths.ts';
import { PlaceState } from '../places/place-state.tsx';
import css from '../places/places.module.css';
import { RegionFilter } from '../places/region/region-filter.tsx';
import { usePlaceRights } from '../places/use-place-rights.ts';
import { SiteActions } from './site-actions.tsx';
import { useSiteBulk } from './use-site-bulk.ts';

/**
 * The sites in scope, or those of one customer, with search and filters: the props of a `ListPage` or a `ListSection`.
 */
export function useSiteTable(customerId?: number) {
  const { t } = useTranslation('places');
  const navigate = useNavigate();
  const mayOpen = usePermitted(['auth_site_detail']);
  const { editSite } = usePlaceRights();
  const ofOne = customerId !== undefined;
  const list = useList(SITE, 'listSites', (query) => ({ query: { ...query, ...(ofOne && { customerId }) } }));
  const bulk = useSiteBulk(editSite);
  const { name, code, contact, address, ...others } = useFieldColumns(SITE.fields);
  const columns: DataColumn<SiteRow, (typeof SITE.sorts)[number]>[] = [
    {
      ...name,
      always: true,
      sortBy: 'name',
      render: (_, site) =>
        mayOpen ? (
          <Link className={css.placeName} to={sitePath(site.id)} tabIndex={-1}>
            {site.name}
          </Link>
        ) : (
          <span className={css.placeName}>{site.name}</span>
        ),
    },
    { ...code, sortBy: 'code', render: (_, site) => <span className="mono no-break">{site.code}</span> },
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
    contact,
    { name: 'region', optional: true, title: t('region.label'), render: (_, site) => site.regionName || <Dash /> },
    address,
    ...Object.values(others),
  ];
  return {
    list,
    search: t('search'),
    filters: (
      <>
        {!ofOne && <CustomerPicker placeholder={t('customer')} {...list.field('customerId')} />}
        <RegionFilter {...list.field('region')} />
        <FilterSelect
          label={t('site.condition')}
          options={SITE_STATES.map((value) => ({ value, label: <SiteStateTag state={value} /> }))}
          {...list.field('state')}
        />
        <EnabledFilter label={t('state')} on={t('enabled')} off={t('disabled')} {...list.field('enabled')} />
      </>
    ),
    // The page of a customer has no dialog to show hidden columns.
    columns: columns.filter(({ optional }) => !ofOne || !optional),
    rowActions: (site: SiteRow) => <SiteActions site={site} mayEdit={editSite} />,
    keep: ofOne ? undefined : ('sites' as const),
    bulk: bulk && {
      ...bulk,
      matching: () => call('selectSites', { query: { ...filtersIn(list.query), ...(ofOne && { customerId }) } }),
    },
    onOpen: mayOpen ? (site: SiteRow) => navigate(sitePath(site.id)) : undefined,
    empty: t('noSites'),
    compact: (site: SiteRow) => (
      <ListCard title={site.name} aside={<SiteActions site={site} mayEdit={editSite} />}>
        <CardLine>
          <span className="mono">{site.code}</span>
          {!ofOne && <span>{site.customerName}</span>}
        </CardLine>
        {site.regionName && <CardLine>{site.regionName}</CardLine>}
        <CardLine>
          <SiteStateTag state={site.state} />
          <span>{t('deviceCount', { count: site.deviceCount })}</span>
          {site.activeAlarms > 0 && <span>{t('alarmCount', { count: site.activeAlarms })}</span>}
        </CardLine>
      </ListCard>
    ),
  };
}

/** The sites of one customer, as a part of its page. */
export function CustomerSites({ customerId }: { customerId: number }) {
  const { t } = useTranslation('places');
  return <ListSection label={t('sites')} {...useSiteTable(customerId)} />;
}
