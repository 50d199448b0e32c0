import type { SiteDetail } from '@chargehand/contract';
import { POLL_MS } from '@chargehand/contract/constants';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { DetailPage, Headline, TabbedPage } from '../../../shared/ui/detail-page/detail-page.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { SiteStateTag } from '../../../shared/ui/tags/site-state-tag.tsx';
import { PlaceUsers } from '../places/place-users.tsx';
import { Receivers } from '../places/receivers.tsx';
import { SiteActions } from './site-actions.tsx';
import { SiteDevices } from './site-devices.tsx';
import { SiteOverview } from './site-overview.tsx';
import '../detail/detail.module.css';

/** The parts of the page from other features, which the application provides. */
export interface SiteParts {
  /** the buttons that explain and mute messages about the site */
  messages: ComponentType<{ site: SiteDetail }>;
  /** figures, and what is wrong there; what follows is shown with it, so that it does not move */
  cockpit: ComponentType<{ siteId: number; children: ReactNode }>;
  faults: ComponentType<{ siteId: number }>;
  issues: ComponentType<{ siteId: number }>;
  events: ComponentType<{ siteId: number }>;
  statuses: ComponentType<{ site: SiteDetail }>;
  traffic: ComponentType<{ site: SiteDetail }>;
  tokens: ComponentType<{ place: 'customer' | 'site' | 'device'; id: number }>;
  links: ComponentType<{ siteId: number }>;
  onCall: ComponentType<{ customerId: number; siteId: number }>;
}

/** A site: its state, devices, alarms, events and administrators. */
export function SiteDetailPage({ parts }: { parts: SiteParts }) {
  const id = Number(useParams().id);
  return (
    <DetailPage read="readSite" input={{ params: { id } }} refetchInterval={POLL_MS} nameOf={({ name }) => name}>
      {(site) => <Shown site={site} parts={parts} />}
    </DetailPage>
  );
}

function Shown({ site: data, parts }: { site: SiteDetail; parts: SiteParts }) {
  const { t } = useTranslation('places');
  const navigate = useNavigate();
  const mayDevices = usePermitted(['auth_device_list']);
  const mayLinks = usePermitted(['auth_device_detail']);
  const seesIssues = usePermitted(['auth_issue_list']);
  const seesOnCall = usePermitted(['auth_message_list', 'auth_message_on_call']);
  const { id } = data;
  const tabs = [
    {
      key: 'overview',
      label: t('siteTab.overview'),
      children: (
        <Part of={parts.cockpit} siteId={id}>
          <SiteOverview site={data} />
        </Part>
      ),
    },
    mayDevices && {
      key: 'devices',
      label: `${t('devices')} ${data.deviceCount}`,
      children: <SiteDevices siteId={id} />,
    },
    {
      key: 'faults',
      label: data.activeAlarms > 0 ? `${t('siteTab.faults')} ${data.activeAlarms}` : t('siteTab.faults'),
      children: <Part of={parts.faults} siteId={id} />,
    },
    seesIssues && { key: 'issues', label: t('issues'), children: <Part of={parts.issues} siteId={id} /> },
    { key: 'events', label: t('siteTab.events'), children: <Part of={parts.events} siteId={id} /> },
    { key: 'statuses', label: t('siteTab.statuses'), children: <Part of={parts.statuses} site={data} /> },
    { key: 'traffic', label: t('siteTab.traffic'), children: <Part of={parts.traffic} site={data} /> },
    { key: 'tokens', label: t('siteTab.tokens'), children: <Part of={parts.tokens} place="site" id={id} /> },
    mayLinks && { key: 'links', label: t('siteTab.links'), children: <Part of={parts.links} siteId={id} /> },
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
    seesOnCall && {
      key: 'onCall',
      label: t('onCall'),
      children: (
        <Suspense fallback={<SkeletonRows rows={6} />}>
          <parts.onCall customerId={data.customerId} siteId={id} />
        </Suspense>
      ),
    },
  ];
  return (
    <TabbedPage
      headline={
        <Headline
          title={data.name}
          status={data.state}
          marks={
            <>
              <SiteStateTag state={data.state} />
              <span className="quiet">{data.customerName}</span>
            </>
          }
          actions={
            <>
              <parts.messages site={data} />
              <SiteActions
                site={data}
                mayEdit={data.may.edit}
                onDeleted={() => navigate('/manage/site/list', { replace: true })}
              />
            </>
          }
        />
      }
      tabs={tabs}
    />
  );
}

/** A part from another feature, with its own loading state while its code is loaded. */
function Part<P extends object>({ of: Content, ...props }: { of: ComponentType<P> } & P) {
  return (
    <Suspense fallback={<SkeletonRows rows={6} />}>
      <Content {...(props as unknown as P)} />
    </Suspense>
  );
}
