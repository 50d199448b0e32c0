import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { call, download } from '../../../shared/api/client.ts';
import { useChooseFirst } from '../../../shared/hooks/lists/use-choose-first.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { gatewayAddress } from '../../../shared/lib/gateway-address.ts';
import { filtersIn } from '../../../shared/lib/lists/list-query.ts';
import { Permitted, usePermitted } from '../../../shared/session/permitted.tsx';
import { useDeviceRights } from '../../../shared/session/use-device-rights.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { ListPage } from '../../../shared/ui/list-page/list-page.tsx';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { DeviceActions } from './device-actions.tsx';
import { DeviceCard } from './device-card.tsx';
import { DeviceCounters } from './device-counters.tsx';
import { DeviceFilters } from './device-filters.tsx';
import { DEVICE_LIST, lookOf } from './device-list.ts';
import { detailPath } from './device-paths.ts';
import css from './devices.module.css';
import { useDeviceBulk } from './use-device-bulk.ts';
import { useDeviceColumns } from './use-device-columns.tsx';

/** Every device in scope with status counts. */
export default function DeviceListPage() {
  const { t } = useTranslation('fleet');
  const { t: routes } = useTranslation('routes');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const mayOpen = usePermitted(['auth_device_detail']);
  const rights = useDeviceRights();
  const list = useList(DEVICE_LIST, 'listDevices', (query) => ({ query }));
  const columns = useDeviceColumns();
  const bulk = useDeviceBulk();
  const choosesFirst = useChooseFirst() && bulk.actions.some(({ key }) => key === 'control');

  return (
    <ListPage
      title={routes('deviceList')}
      note={choosesFirst && common('list.chooseFirst', { action: t('bulk.control') })}
      intro={<DeviceCounters list={list} />}
      list={list}
      search={t('list.search')}
      filters={<DeviceFilters list={list} />}
      onExport={rights.download ? (query, options) => download('exportDevices', { query }, options) : undefined}
      actions={
        rights.edit && (
          <Permitted codes={['auth_device_add']}>
            <LinkButton to="/manage/device/import">{routes('deviceImport')}</LinkButton>
            <LinkButton to="/manage/device/add" primary>
              {t('register')}
            </LinkButton>
          </Permitted>
        )
      }
      columns={columns}
      rowActions={(device) => <DeviceActions device={device} />}
      keep="devices"
      bulk={{ ...bulk, choosesFirst, matching: () => call('selectDevices', { query: filtersIn(list.query) }) }}
      onOpen={mayOpen ? (device) => navigate(detailPath(device.id)) : undefined}
      lookOf={lookOf}
      compact={(device) => <DeviceCard device={device} />}
      empty={t('list.empty')}
      emptyAction={<HowToConnect />}
    />
  );
}

/** The first steps for users without devices. */
function HowToConnect() {
  const { t } = useTranslation('fleet');
  const { user } = useUser();
  const { edit } = useDeviceRights();
  return (
    <ol className={css.howToConnect}>
      <li>
        {t('list.connect1')}
        <code>{gatewayAddress()}</code>
      </li>
      <li>{t('list.connect2')}</li>
      <li>
        {(user.root || user.platformVendor) && (
          <Permitted codes={['auth_black_device']}>
            <Link to="/manage/system/list">{t('list.toWaiting')}</Link>
          </Permitted>
        )}{' '}
        {edit && (
          <Permitted codes={['auth_device_add']}>
            <Link to="/manage/device/add">{t('register')}</Link>
          </Permitted>
        )}
      </li>
    </ol>
  );
}
