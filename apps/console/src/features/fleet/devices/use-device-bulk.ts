import type { DeviceRow } from '@chargehand/contract';
import { type ComponentType, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';
import type { BulkAction, BulkDialogProps } from '../../../shared/ui/list/bulk-action.ts';

const REFRESHES = ['listDevices', 'countDevices', 'readDevice'] as const;

/** What can be done to many devices at once by who may edit them, and asked of them by who may look at one. */
export function useDeviceBulk(
  control: ComponentType<BulkDialogProps>,
): { actions: readonly BulkAction[]; nameOf(device: DeviceRow): string } | undefined {
  const { t } = useTranslation('fleet');
  const { readOnly } = useUser().user;
  const mayEdit = usePermitted(['auth_device_edit']) && !readOnly;
  const mayAsk = usePermitted(['auth_device_detail']) && !readOnly;
  return useMemo(() => {
    if (!mayEdit && !mayAsk) return undefined;
    const shared = { refreshes: REFRESHES };
    const asks: BulkAction[] = mayAsk ? [{ key: 'control', label: t('bulk.control'), dialog: control }] : [];
    const nameOf = ({ name, sn }: DeviceRow) => `${name} · ${sn}`;
    if (!mayEdit) return { nameOf, actions: asks };
    return {
      nameOf,
      actions: [
        ...asks,
        {
          ...shared,
          key: 'enable',
          label: t('enable.ok'),
          text: t('bulk.enable'),
          run: (ids) => call('enableDevices', { body: { ids } }, { quiet: true }),
        },
        {
          ...shared,
          key: 'disable',
          label: t('disable.ok'),
          text: t('bulk.disable'),
          danger: true,
          run: (ids) => call('disableDevices', { body: { ids } }, { quiet: true }),
        },
        {
          ...shared,
          key: 'delete',
          label: t('action.delete'),
          text: t('bulk.delete'),
          danger: true,
          typed: true,
          run: (ids) => call('deleteDevices', { body: { ids } }, { quiet: true }),
        },
      ],
    };
  }, [t, mayEdit, mayAsk, control]);
}
