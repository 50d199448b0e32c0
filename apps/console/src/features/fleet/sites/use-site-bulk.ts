import type { SiteRow } from '@chargehand/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import type { BulkAction } from '../../../shared/ui/list/bulk-action.ts';

const REFRESHES = ['listSites', 'readSite', 'listDevices', 'countDevices'] as const;

/** Bulk actions for sites, for users who may edit them. */
export function useSiteBulk(
  mayEdit: boolean,
): { actions: readonly BulkAction[]; nameOf(site: SiteRow): string } | undefined {
  const { t } = useTranslation('places');
  return useMemo(() => {
    if (!mayEdit) return undefined;
    return {
      nameOf: ({ name, customerName }) => `${name} · ${customerName}`,
      actions: [
        {
          key: 'enable',
          label: t('enable.ok'),
          text: t('bulk.enable'),
          refreshes: REFRESHES,
          run: (ids) => call('enableSites', { body: { ids } }, { quiet: true }),
        },
        {
          key: 'disable',
          label: t('disable.ok'),
          text: t('bulk.disable'),
          danger: true,
          refreshes: REFRESHES,
          run: (ids) => call('disableSites', { body: { ids } }, { quiet: true }),
        },
      ],
    };
  }, [t, mayEdit]);
}
