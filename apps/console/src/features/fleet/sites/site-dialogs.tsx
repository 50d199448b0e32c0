import { useTranslation } from 'react-i18next';
import { call, type EndpointName } from '../../../shared/api/client.ts';
import { Confirm } from '../places/confirm.tsx';
import type { SiteSubject } from './site-list.ts';

interface Props {
  site: SiteSubject;
  onClose(): void;
  onDone?: (() => void) | undefined;
}

const SWITCHED: readonly EndpointName[] = [
  'listSites',
  'readSite',
  'readCustomer',
  'listDevices',
  'countDevices',
  'readDevice',
];

/** Enables a site: its devices can connect again. */
export function EnableSiteDialog({ site: { id, name }, onClose }: Props) {
  const { t } = useTranslation('places');
  return (
    <Confirm
      title={t('enable.title', { name })}
      ok={t('enable.ok')}
      run={() => call('enableSite', { params: { id }, body: {} }, { quiet: true })}
      done={t('enable.done', { name })}
      refreshes={SWITCHED}
      onClose={onClose}
    >
      <p>{t('site.enable')}</p>
    </Confirm>
  );
}

/** Disables a site: its devices are disconnected and rejected. */
export function DisableSiteDialog({ site: { id, name }, onClose }: Props) {
  const { t } = useTranslation('places');
  return (
    <Confirm
      title={t('disable.title', { name })}
      ok={t('disable.ok')}
      danger
      run={() => call('disableSite', { params: { id }, body: {} }, { quiet: true })}
      done={t('disable.done', { name })}
      refreshes={SWITCHED}
      onClose={onClose}
    >
      <p>{t('site.disable')}</p>
    </Confirm>
  );
}

/** Deletes a site without devices. */
export function DeleteSiteDialog({ site: { id, name }, onClose, onDone }: Props) {
  const { t } = useTranslation('places');
  return (
    <Confirm
      title={t('delete.title', { name })}
      ok={t('delete.ok')}
      danger
      run={() => call('deleteSite', { params: { id } }, { quiet: true })}
      done={t('delete.done', { name })}
      refreshes={['listSites', 'listCustomers', 'readCustomer']}
      onClose={onClose}
      onDone={onDone}
    >
      <p>{t('site.delete')}</p>
    </Confirm>
  );
}
