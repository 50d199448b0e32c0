import type { DeviceRow } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { download } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useChanged } from '../../../shared/hooks/use-changed.ts';
import { useListQuery } from '../../../shared/hooks/use-list-query.ts';
import { gatewayAddress } from '../../../shared/lib/gateway-address.ts';
import { Permitted, usePermitted } from '../../../shared/session/permitted.tsx';
import { DataTable } from '../../../shared/ui/data-table.tsx';
import { ExportButton } from '../../../shared/ui/export-button.tsx';
import type { BulkDialogProps } from '../../../shared/ui/list/bulk-action.ts';
import { Page } from '../../../shared/ui/page-header.tsx';
import { DeviceCard } from './device-card.tsx';
import { DeviceCounters } from './device-counters.tsx';
import { DeviceFilters } from './device-filters.tsx';
import { DEVICE_LIST, filtersOf, lookOf } from './device-list.ts';
import { detailPath } from './device-paths.ts';
import { useDeviceBulk } from './use-device-bulk.ts';
import { useDeviceColumns } from './use-device-columns.tsx';
import './devices.css';

/** Every device in scope: how many stand how, and which; `control` asks something of those that are chosen. */
export function DeviceListPage({ control }: { control: ComponentType<BulkDialogProps> }) {
  const { t } = useTranslation('fleet');
  const { t: routes } = useTranslation('routes');
  const navigate = useNavigate();
  const mayOpen = usePermitted(['auth_device_detail']);
  const list = useListQuery(DEVICE_LIST);
  const { page, pageSize, sort } = list.query;
  const devices = useQuery({
    ...queryOf('listDevices', { query: { page, pageSize, sort, ...filtersOf(list.query) } }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const changed = useChanged(devices.data?.items, lookOf);
  const columns = useDeviceColumns();
  const bulk = useDeviceBulk(control);

  return (
    <Page
      title={routes('deviceList')}
      actions={
        <>
          <ExportButton
            fetch={(options) => download('exportDevices', { query: { sort, ...filtersOf(list.query) } }, options)}
            rows={devices.data?.total}
            disabled={devices.data?.total === 0}
          />
          <Permitted codes={['auth_device_add']}>
            <Link to="/manage/device/import">
              <Button tabIndex={-1}>{routes('deviceImport')}</Button>
            </Link>
            <Link to="/manage/device/add">
              <Button type="primary" tabIndex={-1}>
                {t('register')}
              </Button>
            </Link>
          </Permitted>
        </>
      }
    >
      <DeviceCounters list={list} />
      <DeviceFilters list={list} />
      <DataTable<DeviceRow, typeof DEVICE_LIST.filters, (typeof DEVICE_LIST.sorts)[number]>
        label={routes('deviceList')}
        query={devices}
        list={list}
        columns={columns}
        rowKey="id"
        keep="devices"
        bulk={bulk}
        onOpen={mayOpen ? (device) => navigate(detailPath(device.id)) : undefined}
        rowClassName={(device) => (changed.has(device.id) ? 'row-changed' : '')}
        compact={(device) => <DeviceCard device={device} />}
        empty={{ text: t('list.empty'), action: <HowToConnect /> }}
      />
    </Page>
  );
}

/** The first steps of somebody without devices. */
function HowToConnect() {
  const { t } = useTranslation('fleet');
  return (
    <ol className="how-to-connect">
      <li>
        {t('list.connect1')}
        <code>{gatewayAddress()}</code>
      </li>
      <li>{t('list.connect2')}</li>
      <li>
        <Permitted codes={['auth_black_device']}>
          <Link to="/manage/system/list">{t('list.toWaiting')}</Link>
        </Permitted>{' '}
        <Permitted codes={['auth_device_add']}>
          <Link to="/manage/device/add">{t('register')}</Link>
        </Permitted>
      </li>
    </ol>
  );
}
