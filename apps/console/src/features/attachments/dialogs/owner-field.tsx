import { Form, Radio } from 'antd';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../../shared/session/use-user.ts';
import { CustomerPicker } from '../../../shared/ui/list-page/pickers.tsx';

/** Whose a new folder outside of folders is. */
export interface OwnerValues {
  owner: 'own' | 'platform' | 'other';
  /** of `other` */
  customerId?: number | undefined;
}

/** True for users who add folders for others than their own customer. */
export function useMayChooseOwner(): boolean {
  const { user } = useUser();
  return user.platformVendor;
}

/** The owner as the server reads it; null is the platform. */
export function ownerOf({ owner, customerId }: OwnerValues): { customerId?: number | null } {
  if (owner === 'platform') return { customerId: null };
  return owner === 'other' && customerId !== undefined ? { customerId } : {};
}

/** Chooses the owner of a folder: the user's own customer, all customers, or another customer. */
export function OwnerField() {
  const { t } = useTranslation('attachments');
  const { user } = useUser();
  const owner = Form.useWatch<OwnerValues['owner'] | undefined>('owner');
  return (
    <>
      <Form.Item name="owner" label={t('owner.label')}>
        <Radio.Group
          options={[
            { value: 'own', label: user.customerName },
            { value: 'platform', label: t('owner.platform') },
            { value: 'other', label: t('owner.other') },
          ]}
        />
      </Form.Item>
      {owner === 'other' && (
        <Form.Item name="customerId" label={t('customer')} rules={[{ required: true, message: t('owner.needed') }]}>
          <CustomerPicker clearable={false} />
        </Form.Item>
      )}
    </>
  );
}
