import { POLL_MS } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Tabs } from 'antd';
import { type ComponentType, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { useTabLabel } from '../../../shared/hooks/use-tab-label.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { ErrorState } from '../../../shared/ui/error-state.tsx';
import { SiteStateTag } from '../../../shared/ui/site-state-tag.tsx';
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx';
import { PlaceUsers } from '../places/place-users.tsx';
import { Receivers } from '../places/receivers.tsx';
import { SiteActions } from './site-actions.tsx';
import { SiteDevices } from './site-devices.tsx';
import { SiteOverview } from './site-overview.tsx';
import '../detail/detail.css';

/** The parts of the page that other rooms bring; the application puts them together. */
export interface SiteParts {
  faults: ComponentType<{ siteId: number }>;
  events: ComponentType<{ siteId: number }>;
  statuses: ComponentType<{ siteId: number }>;
  traffic: ComponentType<{ siteId: number }>;
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
  const tabs = [
    { key: 'overview', label: t('siteTab.overview'), children: <SiteOverview site={data} /> },
    ...(mayDevices
      ? [{ key: 'devices', label: `${t('devices')} ${data.deviceCount}`, children: <SiteDevices siteId={id} /> }]
      : []),
    {
      key: 'faults',
      label: data.activeAlarms > 0 ? `${t('siteTab.faults')} ${data.activeAlarms}` : t('siteTab.faults'),
      children: <Part of={parts.faults} siteId={id} />,
    },
    { key: 'events', label: t('siteTab.events'), children: <Part of={parts.events} siteId={id} /> },
    { key: 'statuses', label: t('siteTab.statuses'), children: <Part of={parts.statuses} siteId={id} /> },
    { key: 'traffic', label: t('siteTab.traffic'), children: <Part of={parts.traffic} siteId={id} /> },
    {
      key: 'administrators',
      label: t('site.administrators'),
      children: <PlaceUsers of="listSiteAdministrators" id={id} />,
    },
    {
      key: 'receivers',
      label: t('receivers.title'),
      children: <Receivers siteId={id} mayEdit={data.may.edit} />,
    },
  ];
  const tab = tabs.find(({ key }) => key === search.get('tab')) ?? tabs[0]!;

  return (
    <div className="device-page place-page">
      <header className="headline" data-status={data.state}>
        <div className="headline-top">
          <h1>{data.name}</h1>
          <SiteStateTag state={data.state} />
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

/** A part that another room brings, with its own place to wait in while its code is fetched. */
function Part({ of: Content, siteId }: { of: ComponentType<{ siteId: number }>; siteId: number }) {
  return (
    <Suspense fallback={<SkeletonRows rows={6} />}>
      <Content siteId={siteId} />
    </Suspense>
  );
}
