import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../shared/api/client.ts';
import type { BulkDialogProps } from '../../../../shared/ui/list/bulk-action.ts';
import BulkDialog from '../../../../shared/ui/list/bulk-dialog.tsx';
import { CHANGED_QUERIES } from '../../shared/changed-queries.ts';
import { EndFields, endOf, NO_END } from '../../shared/end-fields.tsx';

/** Closes the selected issues with the same cause and remedy. */
export default function CloseSelected({ selection, onClose }: BulkDialogProps) {
  const { t } = useTranslation('issues');
  const [entered, setEntered] = useState(NO_END);
  const end = endOf(entered);
  return (
    <BulkDialog
      selection={selection}
      onClose={onClose}
      complete={end !== null}
      action={{
        key: 'close',
        label: t('bulk.close'),
        text: t('bulk.closeText'),
        refreshes: CHANGED_QUERIES,
        run: (ids) => call('closeIssues', { body: { ids, ...end! } }, { quiet: true }),
      }}
    >
      <EndFields value={entered} onChange={setEntered} />
    </BulkDialog>
  );
}
