import type { DeviceRow } from '@chargehand/contract';
import { BULK_LIMIT } from '@chargehand/contract/constants';
import { lazy, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { loadWords } from '../../../shared/i18n/i18n.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { newCommandPath } from '../../../shared/lib/new-command-path.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useDeviceRights } from '../../../shared/session/use-device-rights.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import type { BulkAction } from '../../../shared/ui/list/bulk-action.ts';
import { labelsPath } from './device-paths.ts';

const REFRESHES = ['listDevices', 'countDevices', 'readDevice'] as const;

const MoveSelected = lazy(async () => {
  const [dialog] = await Promise.all([loadChunk(() => import('./dialogs/move-selected.tsx')), loadWords(['devices'])]);
  return dialog;
});

/**
 * Bulk actions for devices: changes for users who may edit them, commands for users who may open them, labels for all
 * users.
 */
export function useDeviceBulk(): {
  actions: readonly BulkAction[];
  nameOf(device: DeviceRow): string;
} {
  const { t } = useTranslation('fleet');
  const navigate = useNavigate();
  const { readOnly } = useUser().user;
  const rights = useDeviceRights();
  const mayEdit = usePermitted(['auth_device_edit']) && rights.edit;
  const maySend = usePermitted(['auth_device_detail']) && !readOnly;
  return useMemo(() => {
    const shared = { refreshes: REFRESHES };
    const commandActions: BulkAction[] = maySend
      ? [{ key: 'control', label: t('bulk.control'), most: BULK_LIMIT, open: (ids) => navigate(newCommandPath(ids)) }]
      : [];
    const label: BulkAction = {
      key: 'label',
      label: t('action.label'),
      most: BULK_LIMIT,
      open: (ids) => navigate(labelsPath(ids)),
    };
    const nameOf = ({ name, sn }: DeviceRow) => `${name} · ${sn}`;
    if (!mayEdit) return { nameOf, actions: [...commandActions, label] };
    return {
      nameOf,
      actions: [
        ...commandActions,
        label,
        { key: 'move', label: t('action.move'), dialog: MoveSelected },
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
  }, [t, mayEdit, maySend, navigate]);
}
