import { DEVICE_STATUSES, type DeviceStatus, SITE_STATES, type SiteState } from '@chargehand/domain';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../../shared/api/client.ts';
import { usePermitted } from '../../../../shared/session/permitted.tsx';
import { Donut } from '../../../../shared/ui/donut.tsx';
import { AddFigures } from '../../../../shared/ui/issues/add/add-figures.tsx';
import { Panel } from '../../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { SiteStateTag } from '../../../../shared/ui/tags/site-state-tag.tsx';
import { StatusTag } from '../../../../shared/ui/tags/status-tag.tsx';

const DEVICE_TONES: Record<DeviceStatus, string> = {
  faulted: 'faulted',
  offline: 'offline',
  working: 'working',
  idle: 'idle',
  maintain: 'maintain',
  firmwareUpdate: 'firmware-update',
  disabled: 'line-strong',
};

const SITE_TONES: Record<SiteState, string> = {
  faulted: 'faulted',
  offline: 'offline',
  attention: 'firmware-update',
  normal: 'idle',
  empty: 'line',
  disabled: 'line-strong',
};

/** The number of devices in each status. */
export function DeviceStates({ counts: { total, byStatus } }: { counts: Answer<'countDevices'> }) {
  const { t } = useTranslation('home');
  const { t: common } = useTranslation();
  const mayList = usePermitted(['auth_device_list']);
  return (
    <Panel
      title={t('deviceStates')}
      extra={
        <AddFigures
          name={t('deviceStates')}
          figures={() => ({
            title: t('deviceStates'),
            heading: t('state'),
            rows: DEVICE_STATUSES.map((status) => ({
              name: common(`deviceStatus.${status}`),
              values: [byStatus[status]],
              tone: DEVICE_TONES[status],
            })),
            series: [{ name: t('number'), tone: 'idle' }],
            bars: 'lying',
          })}
        />
      }
    >
      <Donut
        title={t('deviceStates')}
        total={total}
        unit={t('devices', { count: total })}
        parts={DEVICE_STATUSES.map((status) => ({
          key: status,
          label: <StatusTag status={status} />,
          count: byStatus[status],
          tone: DEVICE_TONES[status],
          to: mayList ? `/manage/device/list?status=${status}` : null,
        }))}
      />
    </Panel>
  );
}

/** The number of sites in each state. */
export function SiteStates({ sites }: { sites: UseQueryResult<Answer<'readSiteStates'>> }) {
  const { t } = useTranslation('home');
  const { t: common } = useTranslation();
  const mayList = usePermitted(['auth_site_list']);
  const counted = sites.data;
  return (
    <Panel
      title={t('siteStates')}
      extra={
        <AddFigures
          name={t('siteStates')}
          figures={
            counted &&
            (() => ({
              title: t('siteStates'),
              heading: t('state'),
              rows: SITE_STATES.map((state) => ({
                name: common(`siteState.${state}`),
                values: [counted.byState[state]],
                tone: SITE_TONES[state],
              })),
              series: [{ name: t('number'), tone: 'idle' }],
              bars: 'lying',
            }))
          }
        />
      }
    >
      {sites.data ? (
        <Donut
          title={t('siteStates')}
          total={sites.data.total}
          unit={t('sites', { count: sites.data.total })}
          parts={SITE_STATES.map((state) => ({
            key: state,
            label: <SiteStateTag state={state} />,
            count: sites.data.byState[state],
            tone: SITE_TONES[state],
            to: mayList ? `/manage/site/list?state=${state}` : null,
          }))}
        />
      ) : sites.isError ? (
        <ErrorState error={sites.error} onRetry={() => void sites.refetch()} />
      ) : (
        <SkeletonRows rows={5} />
      )}
    </Panel>
  );
}
