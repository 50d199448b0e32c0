import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { MoreMenu } from '../../../shared/ui/dialogs/more-menu.tsx';
import { customerPath } from '../places/place-paths.ts';
import { DeleteCustomerDialog, DisableCustomerDialog, EnableCustomerDialog } from './customer-dialogs.tsx';
import { CustomerFormDialog } from './customer-form-dialog.tsx';
import type { CustomerSubject } from './customer-list.ts';

interface Props {
  customer: CustomerSubject;
  may: { edit: boolean; manage: boolean };
  /** set on the page of the customer, which closes when the customer is deleted */
  onDeleted?: () => void;
}

/** The actions of a customer: open, edit, enable, disable, delete. */
export function CustomerActions({ customer, may, onDeleted }: Props) {
  const { t } = useTranslation('places');
  const navigate = useNavigate();
  const mayOpen = usePermitted(['auth_customer_detail']);
  const mayLog = usePermitted(['auth_logs_action']);
  const [dialog, setDialog] = useState<'edit' | 'enable' | 'disable' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const onDetail = onDeleted !== undefined;
  const mayEdit = may.edit || may.manage;
  const manage = may.manage && !customer.platformVendor;

  const items = [
    mayOpen && !onDetail && { key: 'open', label: t('open'), onClick: () => navigate(customerPath(customer.id)) },
    mayEdit && !onDetail && { key: 'edit', label: t('edit'), onClick: () => setDialog('edit') },
    mayLog && {
      key: 'log',
      label: t('log'),
      onClick: () => navigate(`/manage/logs/action/customer/${customer.id}`),
    },
    manage &&
      (customer.enabled
        ? { key: 'disable', label: t('disable.ok'), onClick: () => setDialog('disable') }
        : { key: 'enable', label: t('enable.ok'), onClick: () => setDialog('enable') }),
    manage && { key: 'delete', label: t('delete.ok'), danger: true, onClick: () => setDialog('delete') },
  ].filter((item) => item !== false);

  return (
    <>
      {onDetail && mayEdit && <Button onClick={() => setDialog('edit')}>{t('edit')}</Button>}
      {items.length > 0 && (
        <MoreMenu items={items} label={t('more', { name: customer.name })} type={onDetail ? 'default' : 'text'} />
      )}
      {dialog === 'edit' && <CustomerFormDialog customer={customer} manage={may.manage} onClose={close} />}
      {dialog === 'enable' && <EnableCustomerDialog customer={customer} onClose={close} />}
      {dialog === 'disable' && <DisableCustomerDialog customer={customer} onClose={close} />}
      {dialog === 'delete' && <DeleteCustomerDialog customer={customer} onClose={close} onDone={onDeleted} />}
    </>
  );
}
