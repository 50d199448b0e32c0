import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { DataTable } from '../../../shared/ui/list-page/data-table.tsx';
import { DeviceActions } from '../devices/device-actions.tsx';
import { DeviceCard } from '../devices/device-card.tsx';
import { DEVICE_LIST, lookOf } from '../devices/device-list.ts';
import { detailPath } from '../devices/device-paths.ts';
import { useDeviceColumns } from '../devices/use-device-columns.tsx';
import '../devices/devices.module.css';

/** The devices of a site, in the form of the device list. */
export function SiteDevices({ siteId }: { siteId: number }) {
  const { t } = useTranslation('places');
  const navigate = useNavigate();
  const mayOpen = usePermitted(['auth_device_detail']);
  const list = useList(DEVICE_LIST, 'listDevices', (query) => ({ query: { ...query, siteId } }));
  return (
    <DataTable
      label={t('site.devices')}
      list={list}
      columns={useDeviceColumns('site').filter(({ name }) => name !== 'site')}
      rowActions={(device) => <DeviceActions device={device} from="site" />}
      onOpen={mayOpen ? (device) => navigate(detailPath(device.id, 'site')) : undefined}
      lookOf={lookOf}
      compact={(device) => <DeviceCard device={device} from="site" />}
      empty={t('site.noDevices')}
    />
  );
}
