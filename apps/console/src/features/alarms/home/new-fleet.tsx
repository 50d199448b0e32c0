import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { gatewayAddress } from '../../../shared/lib/gateway-address.ts';
import { Permitted, usePermitted } from '../../../shared/session/permitted.tsx';
import { useDeviceRights } from '../../../shared/session/use-device-rights.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import css from './home.module.css';

/** The first steps, shown while no device is in scope. */
export function NewFleet() {
  const { t } = useTranslation('home');
  const { user } = useUser();
  const { edit } = useDeviceRights();
  const may = {
    // Sites require the same level as devices.
    site: usePermitted(['auth_site_add']) && edit,
    device: usePermitted(['auth_device_add']) && edit,
    waiting: usePermitted(['auth_black_device']) && (user.root || user.platformVendor),
  };
  const steps = [
    { key: 'site' as const, to: '/manage/site/add' },
    { key: 'device' as const, to: '/manage/device/add' },
    { key: 'connect' as const, to: null },
    { key: 'waiting' as const, to: '/manage/system/list' },
  ];
  return (
    <Panel title={t('new.title')}>
      <p className={css.newFleetText}>{t('new.text')}</p>
      <ol className={css.newFleet}>
        {steps.map(({ key, to }) => (
          <li key={key}>
            <strong>
              {to !== null && may[key as keyof typeof may] ? <Link to={to}>{t(`new.${key}`)}</Link> : t(`new.${key}`)}
            </strong>
            <span className="quiet">{t(`new.${key}Text`, { address: gatewayAddress() })}</span>
          </li>
        ))}
      </ol>
      {!edit && <p className="quiet">{t('new.byEditors')}</p>}
      {edit && !user.root && (
        <Permitted codes={['auth_site_add', 'auth_device_add']} mode="ban">
          <p className="quiet">{t('new.byOthers')}</p>
        </Permitted>
      )}
    </Panel>
  );
}
