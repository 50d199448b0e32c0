import type { DocumentRow } from '@chargehand/contract';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import type { BulkAction } from '../../../shared/ui/list/bulk-action.ts';
import { titleOf } from '../shared/names.ts';
import { useDocumentRights } from '../shared/use-document-rights.ts';
import type { useExport } from './use-export.tsx';

const REFRESHES = ['listDocuments', 'readDocument', 'readDocumentHome', 'listCategories'] as const;
/** Documents whose IDs fit into one request for an export. */
const EXPORTED = 200;

/** Bulk actions for documents, as far as the user may use them; undefined: none. */
export function useDocumentBulk(run: ReturnType<typeof useExport>['run']) {
  const { t } = useTranslation('documents');
  const { editsSome, deletesSome, export: exports } = useDocumentRights();
  const exporting = useRef(run);
  exporting.current = run;
  return useMemo(() => {
    const actions: BulkAction[] = [];
    if (editsSome) {
      actions.push(
        {
          key: 'enable',
          label: t('bulk.enable'),
          text: t('bulk.enableText'),
          refreshes: REFRESHES,
          run: (ids) => call('enableDocuments', { body: { ids } }, { quiet: true }),
        },
        {
          key: 'disable',
          label: t('bulk.disable'),
          text: t('bulk.disableText'),
          refreshes: REFRESHES,
          run: (ids) => call('disableDocuments', { body: { ids } }, { quiet: true }),
        },
      );
    }
    if (exports) {
      actions.push({
        key: 'export',
        label: t('bulk.export'),
        most: EXPORTED,
        open(ids) {
          exporting.current({ ids: ids.join(',') }).catch((error: unknown) => {
            console.warn('The export failed', error);
            toast.error(t('bulk.exportFailed'));
          });
        },
      });
    }
    if (deletesSome) {
      actions.push({
        key: 'delete',
        label: t('bulk.delete'),
        text: t('bulk.deleteText'),
        danger: true,
        typed: true,
        refreshes: REFRESHES,
        run: (ids) => call('deleteDocuments', { body: { ids } }, { quiet: true }),
      });
    }
    return actions.length === 0 ? undefined : { actions, nameOf: (document: DocumentRow) => titleOf(document) };
  }, [t, editsSome, deletesSome, exports]);
}
