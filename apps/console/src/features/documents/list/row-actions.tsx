import type { DocumentRow } from '@chargehand/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { MoreMenu } from '../../../shared/ui/dialogs/more-menu.tsx';
import { DeleteDocument } from '../shared/delete-document.tsx';
import { titleOf } from '../shared/names.ts';
import { contentPath, documentPath, editPath, propertiesPath } from '../shared/paths.ts';
import { useDocumentRights } from '../shared/use-document-rights.ts';

/** The menu of a document in the list. */
export function RowActions({ document }: { document: DocumentRow }) {
  const { t } = useTranslation('documents');
  const navigate = useNavigate();
  const own = useLocale();
  const rights = useDocumentRights();
  const [deleting, setDeleting] = useState(false);
  const link = (key: string, label: string, to: string) => ({ key, label, onClick: () => navigate(to) });
  const items = [
    ...(rights.reads ? [link('open', t('open'), documentPath(document.id))] : []),
    ...(rights.manages ? [link('properties', t('properties'), propertiesPath(document.id))] : []),
    ...(rights.edit(document) ? [link('edit', t('editProperties'), editPath(document.id))] : []),
    ...(rights.editContent(document)
      ? [link('content', t('editContent'), contentPath(document, document.locale ?? own))]
      : []),
    ...(rights.remove(document)
      ? [{ key: 'delete', label: t('delete.open'), danger: true, onClick: () => setDeleting(true) }]
      : []),
  ];
  if (items.length === 0) return null;
  return (
    <>
      <MoreMenu size="small" items={items} label={t('more', { name: titleOf(document) })} />
      {deleting && (
        <DeleteDocument document={document} onDone={() => setDeleting(false)} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}
