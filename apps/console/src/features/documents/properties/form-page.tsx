import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { EditPage } from '../../../shared/ui/form-page/edit-page.tsx';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { ChooseDocument } from '../shared/choose-document.tsx';
import { titleOf, typeOf } from '../shared/names.ts';
import { contentPath, documentPath, editPath, propertiesPath } from '../shared/paths.ts';
import { useDocumentRights } from '../shared/use-document-rights.ts';
import { DocumentForm } from './document-form.tsx';

const CHANGED = [
  'listDocuments',
  'readDocument',
  'readDocumentHome',
  'listCategories',
  'listUnexplainedCodes',
] as const;

/** Adds a document (`/add?type=&code=&deviceModelId=&categoryId=`). Its text is written in the editor afterwards. */
export function AddDocumentPage() {
  const { t } = useTranslation('documents');
  const { t: routes } = useTranslation('routes');
  const own = useLocale();
  const rights = useDocumentRights();
  const [search] = useSearchParams();
  const code = search.get('code')?.trim();
  const given = {
    type: typeOf(search.get('type')) ?? null,
    categoryId: Number(search.get('categoryId')) || undefined,
    bindings: code ? [{ key: code, deviceModelId: Number(search.get('deviceModelId')) || null }] : [],
  };
  return (
    <Page title={routes('docsAdd')}>
      <DocumentForm
        given={given}
        onSave={async ({ text, enabled, ...properties }) => {
          const locale = text?.locale ?? own;
          const body = {
            ...properties,
            enabled,
            locale,
            title: text?.title ?? '',
            description: text?.description ?? '',
          };
          const { id } = await call('createDocument', { body }, { quiet: true });
          await refresh(...CHANGED);
          toast.success(t('form.added', { name: properties.name }));
          const access = { ...properties, enabled };
          if (rights.editContent(access)) return contentPath({ id, categoryId: properties.categoryId }, locale);
          return rights.reads ? documentPath(id) : '/manage/docs/list';
        }}
      />
    </Page>
  );
}

/** Edits the properties of a document (`/update/props/:id`). */
export function EditDocumentPage() {
  const { t } = useTranslation('documents');
  const { t: routes } = useTranslation('routes');
  const rights = useDocumentRights();
  const { id: given } = useParams();
  if (given === undefined) return <ChooseDocument title={routes('docsEdit')} to={editPath} />;
  const id = Number(given);
  return (
    <EditPage key={id} title={routes('docsEdit')} read="readDocument" input={{ query: { id } }} nameOf={titleOf}>
      {(document) => (
        <DocumentForm
          document={document}
          onSave={async ({ text: _, enabled, ...properties }) => {
            // First, because it can be repeated without harm when the properties are refused.
            if (enabled !== document.enabled) {
              await call(enabled ? 'enableDocument' : 'disableDocument', { params: { id }, body: {} }, { quiet: true });
            }
            const body = { ...properties, revision: document.revision };
            await call('updateDocument', { params: { id }, body }, { quiet: true });
            await refresh(...CHANGED);
            toast.success(t('form.saved', { name: properties.name }));
            return rights.manages ? propertiesPath(id) : documentPath(id);
          }}
        />
      )}
    </EditPage>
  );
}
