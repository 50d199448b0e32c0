import type { DEVICE_SORTS, DeviceRow } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { useChanged } from '../../../shared/hooks/use-changed.ts';
import { useListQuery } from '../../../shared/hooks/use-list-query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { DataTable } from '../../../shared/ui/data-table.tsx';
import { DeviceCard } from '../devices/device-card.tsx';
import { DEVICE_LIST, filtersOf, lookOf } from '../devices/device-list.ts';
import { detailPath } from '../devices/device-paths.ts';
import { useDeviceColumns } from '../devices/use-device-columns.tsx';
import '../devices/devices.css';

/** The devices of a site, as the device list shows them. */
export function SiteDevices({ siteId }: { siteId: number }) {
  const { t } = useTranslation('places');
  const navigate = useNavigate();
  const mayOpen = usePermitted(['auth_device_detail']);
  const list = useListQuery(DEVICE_LIST);
  const { page, pageSize, sort } = list.query;
  const query = { page, pageSize, sort, ...filtersOf(list.query), siteId };
  const devices = useQuery({
    ...queryOf('listDevices', { query }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const changed = useChanged(devices.data?.items, lookOf);
  const columns = useDeviceColumns().filter(({ key }) => key !== 'site');
  return (
    <DataTable<DeviceRow, typeof DEVICE_LIST.filters, (typeof DEVICE_SORTS)[number]>
      label={t('site.devices')}
      query={devices}
      list={list}
      columns={columns}
      rowKey="id"
      onOpen={mayOpen ? (device) => navigate(detailPath(device.id)) : undefined}
      rowClassName={(device) => (changed.has(device.id) ? 'row-changed' : '')}
      compact={(device) => <DeviceCard device={device} />}
      empty={{ text: t('site.noDevices') }}
    />
  );
}
