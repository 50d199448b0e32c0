import { useTranslation } from 'react-i18next';
import { call, type EndpointName } from '../../../shared/api/client.ts';
import { Confirm } from '../places/confirm.tsx';
import type { CustomerSubject } from './customer-list.ts';

interface Props {
  customer: CustomerSubject;
  onClose(): void;
  onDone?: (() => void) | undefined;
}

/** Enabling or disabling a customer also affects the devices of its sites. */
const SWITCHED: readonly EndpointName[] = [
  'listCustomers',
  'readCustomer',
  'listSites',
  'readSite',
  'listDevices',
  'countDevices',
  'readDevice',
];

/** Enables a customer: its users can sign in and its devices can connect again. */
export function EnableCustomerDialog({ customer, onClose }: Props) {
  const { t } = useTranslation('places');
  const { id, name } = customer;
  return (
    <Confirm
      title={t('enable.title', { name })}
      ok={t('enable.ok')}
      run={() => call('enableCustomer', { params: { id }, body: {} }, { quiet: true })}
      done={t('enable.done', { name })}
      refreshes={SWITCHED}
      onClose={onClose}
    >
      <p>{t('customerEnable')}</p>
    </Confirm>
  );
}

/** Disables a customer: its users are signed out and its devices disconnected. */
export function DisableCustomerDialog({ customer, onClose }: Props) {
  const { t } = useTranslation('places');
  const { id, name } = customer;
  return (
    <Confirm
      title={t('disable.title', { name })}
      ok={t('disable.ok')}
      danger
      run={() => call('disableCustomer', { params: { id }, body: {} }, { quiet: true })}
      done={t('disable.done', { name })}
      refreshes={SWITCHED}
      onClose={onClose}
    >
      <p>{t('customerDisable')}</p>
    </Confirm>
  );
}

/** Deletes a customer without sites and users. */
export function DeleteCustomerDialog({ customer, onClose, onDone }: Props) {
  const { t } = useTranslation('places');
  const { id, name } = customer;
  return (
    <Confirm
      title={t('delete.title', { name })}
      ok={t('delete.ok')}
      danger
      run={() => call('deleteCustomer', { params: { id } }, { quiet: true })}
      done={t('delete.done', { name })}
      refreshes={['listCustomers']}
      onClose={onClose}
      onDone={onDone}
    >
      <p>{t('customerDelete')}</p>
    </Confirm>
  );
}
