import type { TroubledSiteRow } from '@chargehand/contract';
import { SITE_STATES } from '@chargehand/domain';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer } from '../../../../shared/api/client.ts';
import { usePermitted } from '../../../../shared/session/permitted.tsx';
import { Panel } from '../../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../../shared/ui/states/empty-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { AlarmLevel } from '../../../../shared/ui/tags/alarm-level.tsx';
import { SiteStateTag } from '../../../../shared/ui/tags/site-state-tag.tsx';
import { Since } from '../../../../shared/ui/values/duration.tsx';
import { SiteLink } from '../../../../shared/ui/values/place-link.tsx';
import { useAlarmRights } from '../../use-alarm-rights.ts';
import css from '../home.module.css';
import { alarmsPath } from '../paths.ts';

interface Props {
  sites: UseQueryResult<Answer<'readSiteStates'>>;
  /** the map of all sites */
  children?: ReactNode;
}

/** The sites with problems, the worst first, with the share of their devices, the reason and the age. */
export function SitesInTrouble({ sites, children }: Props) {
  const { t } = useTranslation('home');
  const mayList = usePermitted(['auth_site_list']);
  if (sites.isError && !sites.data) return null;
  return (
    <Panel title={t('problemSites')} extra={mayList && <Link to="/manage/site/list">{t('allSites')}</Link>}>
      {!sites.data ? (
        <SkeletonRows rows={4} />
      ) : sites.data.troubled.length === 0 ? (
        <EmptyState text={t('noProblems')} />
      ) : (
        <ul className={css.homeSites}>
          {sites.data.troubled.map((site) => (
            <TroubledSite key={site.id} site={site} />
          ))}
        </ul>
      )}
      {sites.data && <States of={sites.data} linked={mayList} />}
      {children}
    </Panel>
  );
}

/** How many sites are in which state. */
function States({ of: { byState }, linked }: { of: Answer<'readSiteStates'>; linked: boolean }) {
  const { t } = useTranslation('home');
  return (
    <ul className={css.siteStates} aria-label={t('siteStates')}>
      {SITE_STATES.filter((state) => byState[state] > 0).map((state) => (
        <li key={state}>
          <SiteStateTag state={state} />{' '}
          {linked ? <Link to={`/manage/site/list?state=${state}`}>{byState[state]}</Link> : byState[state]}
        </li>
      ))}
    </ul>
  );
}

function TroubledSite({ site }: { site: TroubledSiteRow }) {
  const { t } = useTranslation('home');
  const mayDevices = usePermitted(['auth_device_list']);
  const { list } = useAlarmRights();
  const devices = (count: number, status: 'faulted' | 'offline') => {
    if (count === 0) return null;
    const text = t(status === 'faulted' ? 'faultedOf' : 'offlineOf', { count, devices: site.devices });
    return mayDevices ? (
      <Link to={`/manage/device/list?siteId=${site.id}&status=${status}`}>{text}</Link>
    ) : (
      <span>{text}</span>
    );
  };
  const alarms = t('alarmCount', { count: site.alarms });
  return (
    <li>
      <span className={css.homeSiteName}>
        <SiteLink id={site.id} name={site.name} />
        <span className="quiet">{site.customerName}</span>
      </span>
      <SiteStateTag state={site.state} />
      <span className={css.homeSiteFacts}>
        <Share site={site} />
        {devices(site.faulted, 'faulted')}
        {devices(site.offline, 'offline')}
        {site.alarms > 0 && (
          <span className={css.homeSiteAlarms}>
            {site.worstLevel && <AlarmLevel level={site.worstLevel} />}
            {list ? <Link to={alarmsPath({ siteId: String(site.id), suppressed: 'false' })}>{alarms}</Link> : alarms}
          </span>
        )}
      </span>
      <span className={`${css.homeSiteSince} quiet`}>{site.since && <Since at={site.since} />}</span>
    </li>
  );
}

/** The share of the devices that are faulted or offline: one fault of 95 is a thin red line. */
function Share({ site: { devices, faulted, offline } }: { site: TroubledSiteRow }) {
  const width = (count: number) => ({ inlineSize: `${(count / Math.max(1, devices)) * 100}%` });
  return (
    <span className={css.share} aria-hidden="true">
      {faulted > 0 && <i data-of="faulted" style={width(faulted)} />}
      {offline > 0 && <i data-of="offline" style={width(offline)} />}
    </span>
  );
}
