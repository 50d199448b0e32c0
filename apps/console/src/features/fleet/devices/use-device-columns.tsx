import type { DEVICE_SORTS, DeviceRow } from '@chargehand/contract';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import type { DataColumn } from '../../../shared/ui/list-page/data-table.tsx';
import { StatusTag } from '../../../shared/ui/tags/status-tag.tsx';
import { Since } from '../../../shared/ui/values/duration.tsx';
import { Dash, ExactTime, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { AlarmSummary } from './alarm-summary.tsx';
import { detailPath } from './device-paths.ts';
import css from './devices.module.css';
import { FaultyMessages } from './faulty-messages.tsx';

/** The columns of the device list: status first, then identity, place, and the rest. */
export function useDeviceColumns(from?: 'site'): DataColumn<DeviceRow, (typeof DEVICE_SORTS)[number]>[] {
  const { t } = useTranslation('fleet');
  const modelName = useModelName();
  const mayOpen = usePermitted(['auth_device_detail']);
  return useMemo(
    () => [
      {
        name: 'status',
        title: t('status'),
        sortBy: 'statusSince',
        width: 168,
        render: (_, device) => (
          <span className={css.statusSince}>
            <StatusTag status={device.status} />
            <span className="quiet">
              <Since at={device.statusSince} />
            </span>
          </span>
        ),
      },
      {
        name: 'name',
        always: true,
        title: t('name'),
        sortBy: 'name',
        render: (_, device) =>
          mayOpen ? (
            <span className="cut">
              <Link className="device-name" title={device.name} to={detailPath(device.id, from)} tabIndex={-1}>
                {device.name}
              </Link>
            </span>
          ) : (
            <Cut className="device-name" title={device.name} />
          ),
      },
      {
        name: 'sn',
        title: t('sn'),
        sortBy: 'sn',
        render: (_, device) => <Cut className={`mono ${css.snCell}`} title={device.sn} />,
      },
      {
        name: 'alarms',
        title: t('alarms'),
        render: (_, device) => (
          <span className={css.statusSince}>
            {(device.activeAlarms > 0 || device.faultyMessages === null) && (
              <AlarmSummary count={device.activeAlarms} worst={device.worstAlarmLevel} />
            )}
            <FaultyMessages device={device} mayOpen={mayOpen} />
          </span>
        ),
      },
      {
        name: 'site',
        title: t('site'),
        key: 'site',
        render: (_, device) => (
          <Cut className={css.siteCell} title={`${device.siteName} · ${device.customerName}`}>
            {device.siteName} <span className="quiet">{device.customerName}</span>
          </Cut>
        ),
      },
      {
        name: 'model',
        title: t('model'),
        render: (_, device) => <Cut className={css.modelCell} title={modelName(device.deviceModelName)} />,
      },
      {
        name: 'lastSeen',
        title: t('lastSeen'),
        render: (_, device) => (
          <span className="one-line">
            <TimeAgo at={device.lastSeenAt} />
          </span>
        ),
      },
      {
        name: 'version',
        title: t('version'),
        render: (_, device) =>
          device.softVersion ? <Cut className={`mono ${css.snCell}`} title={device.softVersion} /> : <Dash />,
      },
      {
        name: 'maintenanceDue',
        title: t('maintenanceDue'),
        sortBy: 'maintenanceDue',
        optional: true,
        render: (_, device) => <ExactTime at={device.maintenanceDueAt} />,
      },
    ],
    [t, mayOpen, modelName, from],
  );
}

/**
 * Text that is shortened when the row lacks room. Its title contains all of it, and the row with the focus shows it
 * completely.
 */
function Cut(props: { className: string | undefined; title: string; children?: ReactNode }) {
  return (
    <span className="cut">
      <span className={`one-line ${props.className}`} title={props.title}>
        {props.children ?? props.title}
      </span>
    </span>
  );
}
