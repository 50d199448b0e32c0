import { useTranslation } from 'react-i18next';
import { call, type EndpointName } from '../../../shared/api/client.ts';
import { Confirm } from '../places/confirm.tsx';
import type { CustomerSubject } from './customer-list.ts';

interface Props {
  customer: CustomerSubject;
  onClose(): void;
  onDone?: (() => void) | undefined;
}

/** A customer that is switched takes its sites' devices with it. */
const SWITCHED: readonly EndpointName[] = [
  'listCustomers',
  'readCustomer',
  'listSites',
  'readSite',
  'listDevices',
  'countDevices',
  'readDevice',
];

/** Lets the users of a customer sign in and its devices connect again. */
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

/** Takes a customer out of service: its users are signed out, its devices disconnected. */
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

/** Removes a customer that has neither sites nor users. */
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
