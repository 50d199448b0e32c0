import type { DocumentRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { titleOf } from './names.ts';

/** Asks before a document is deleted with its versions. */
export function DeleteDocument(props: {
  document: Pick<DocumentRow, 'id' | 'name' | 'title'>;
  onDone(): void;
  onClose(): void;
}) {
  const { t } = useTranslation('documents');
  const { document } = props;
  const name = titleOf(document);
  return (
    <Confirm
      title={t('delete.title', { name })}
      ok={t('delete.open')}
      danger
      run={() => call('deleteDocument', { params: { id: document.id } }, { quiet: true })}
      onDone={() => {
        toast.success(t('delete.done', { name }));
        props.onDone();
        void refresh('listDocuments', 'readDocumentHome', 'listCategories', 'listUnexplainedCodes');
      }}
      onClose={props.onClose}
    >
      <p>{t('delete.text')}</p>
    </Confirm>
  );
}
