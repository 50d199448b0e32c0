import { POLL_MS, type SiteDetail } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Tabs } from 'antd';
import { type ComponentType, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { useTabLabel } from '../../../shared/hooks/use-tab-label.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { Describe } from '../../../shared/ui/describe.tsx';
import { ErrorState } from '../../../shared/ui/error-state.tsx';
import { Panel } from '../../../shared/ui/page-header.tsx';
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx';
import { ExactTime } from '../../../shared/ui/time-ago.tsx';
import { customerPath } from '../places/place-paths.ts';
import { PlaceState } from '../places/place-state.tsx';
import { PlaceUsers } from '../places/place-users.tsx';
import { StatusCounts } from '../places/status-counts.tsx';
import { SiteActions } from './site-actions.tsx';
import { SiteDevices } from './site-devices.tsx';
import '../detail/detail.css';

/** The parts of the page that other rooms bring; the application puts them together. */
export interface SiteParts {
  faults: ComponentType<{ siteId: number }>;
  events: ComponentType<{ siteId: number }>;
}

/** One site: how it stands, its devices, what is wrong and what happened there, and who runs it. */
export function SiteDetailPage({ parts }: { parts: SiteParts }) {
  const { t } = useTranslation('places');
  const params = useParams();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const mayDevices = usePermitted(['auth_device_list']);
  const id = Number(params.id);
  const site = useQuery({
    ...queryOf('readSite', { params: { id } }, { quiet: true }),
    enabled: id > 0,
    refetchInterval: POLL_MS,
  });
  useTabLabel(site.data?.name);

  if (!site.data) {
    return (
      <div className="page">
        {site.isError || !(id > 0) ? (
          <ErrorState error={site.error} onRetry={() => void site.refetch()} />
        ) : (
          <SkeletonRows rows={8} />
        )}
      </div>
    );
  }

  const { data } = site;
  const { faults: Faults, events: Events } = parts;
  const tabs = [
    { key: 'overview', label: t('siteTab.overview'), children: <Overview site={data} /> },
    ...(mayDevices
      ? [{ key: 'devices', label: `${t('devices')} ${data.deviceCount}`, children: <SiteDevices siteId={id} /> }]
      : []),
    {
      key: 'faults',
      label: data.activeAlarms > 0 ? `${t('siteTab.faults')} ${data.activeAlarms}` : t('siteTab.faults'),
      children: (
        <Suspense fallback={<SkeletonRows rows={6} />}>
          <Faults siteId={id} />
        </Suspense>
      ),
    },
    {
      key: 'events',
      label: t('siteTab.events'),
      children: (
        <Suspense fallback={<SkeletonRows rows={6} />}>
          <Events siteId={id} />
        </Suspense>
      ),
    },
    {
      key: 'administrators',
      label: t('site.administrators'),
      children: <PlaceUsers of="listSiteAdministrators" id={id} />,
    },
  ];
  const tab = tabs.find(({ key }) => key === search.get('tab')) ?? tabs[0]!;

  return (
    <div className="device-page place-page">
      <header className="headline" data-status={data.enabled && data.customerEnabled ? undefined : 'disabled'}>
        <div className="headline-top">
          <h1>{data.name}</h1>
          {!data.enabled && <PlaceState enabled={false} />}
          <span className="quiet">{data.customerName}</span>
          <div className="headline-actions">
            <SiteActions
              site={data}
              mayEdit={data.may.edit}
              onDeleted={() => navigate('/manage/site/list', { replace: true })}
            />
          </div>
        </div>
      </header>
      <Tabs
        className="device-tabs"
        activeKey={tab.key}
        onChange={(key) => setSearch({ tab: key }, { replace: true })}
        destroyOnHidden
        items={tabs}
      />
    </div>
  );
}

/** What people entered of a site, and how its devices stand. */
function Overview({ site }: { site: SiteDetail }) {
  const { t } = useTranslation('places');
  const mayCustomer = usePermitted(['auth_customer_detail']);
  const outOfService = !site.enabled
    ? t('site.isDisabled')
    : site.customerEnabled
      ? null
      : t('site.customerIsDisabled');
  return (
    <div className="stack">
      {outOfService && <p className="warning-note">{outOfService}</p>}
      <StatusCounts total={site.deviceCount} byStatus={site.byStatus} filter={`siteId=${site.id}`} />
      <Panel title={t('baseInfo')}>
        <Describe
          items={[
            { key: 'name', label: t('name'), value: site.name },
            { key: 'code', label: t('code'), value: <span className="mono">{site.code}</span> },
            {
              key: 'customer',
              label: t('customer'),
              value: mayCustomer ? (
                <Link to={customerPath(site.customerId)}>{site.customerName}</Link>
              ) : (
                site.customerName
              ),
            },
            { key: 'contact', label: t('site.contact'), value: site.contact },
            { key: 'phone', label: t('site.phone'), value: site.phone },
            { key: 'address', label: t('address'), value: site.address },
            { key: 'buildDate', label: t('site.buildDate'), value: site.buildDate },
            { key: 'created', label: t('created'), value: <ExactTime at={site.createdAt} /> },
          ]}
        />
      </Panel>
    </div>
  );
}
