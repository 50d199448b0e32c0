import type { UserRow } from '@chargehand/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import type { BulkAction } from '../../../shared/ui/list/bulk-action.ts';
import { useUserRights } from '../use-user-rights.ts';

const REFRESHES = ['listUsers', 'readUser'] as const;

/** Bulk actions for users, for users who may edit them. The server rejects changes to users with more rights. */
export function useUserBulk(): { actions: readonly BulkAction[]; nameOf(user: UserRow): string } | undefined {
  const { t } = useTranslation('people');
  const { edit: edits } = useUserRights();
  return useMemo(() => {
    if (!edits) return undefined;
    return {
      nameOf: ({ userName }) => userName,
      actions: [
        {
          key: 'enable',
          label: t('enable'),
          text: t('bulk.enable'),
          refreshes: REFRESHES,
          run: (ids) => call('enableUsers', { body: { ids } }, { quiet: true }),
        },
        {
          key: 'disable',
          label: t('disable'),
          text: t('bulk.disable'),
          danger: true,
          refreshes: REFRESHES,
          run: (ids) => call('disableUsers', { body: { ids } }, { quiet: true }),
        },
        {
          key: 'signOut',
          label: t('user.signOut'),
          text: t('bulk.signOut'),
          danger: true,
          refreshes: REFRESHES,
          run: (ids) => call('signOutUsers', { body: { ids } }, { quiet: true }),
        },
      ],
    };
  }, [t, edits]);
}
