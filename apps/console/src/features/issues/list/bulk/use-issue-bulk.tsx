import type { IssueRow } from '@chargehand/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import type { BulkAction } from '../../../../shared/ui/list/bulk-action.ts';
import { useIssueRights } from '../../shared/use-issue-rights.ts';

const EditSelected = lazyDialog(() => import('./edit-selected.tsx'));
const CloseSelected = lazyDialog(() => import('./close-selected.tsx'));

/** Bulk actions for issues, for users who work on them; undefined: none. */
export function useIssueBulk() {
  const { t } = useTranslation('issues');
  const { edit } = useIssueRights();
  return useMemo(() => {
    if (!edit) return undefined;
    const actions: BulkAction[] = [
      { key: 'edit', label: t('bulk.edit'), dialog: EditSelected },
      { key: 'close', label: t('bulk.close'), dialog: CloseSelected },
    ];
    return { actions, nameOf: ({ key, title }: IssueRow) => `${key} ${title}` };
  }, [t, edit]);
}
