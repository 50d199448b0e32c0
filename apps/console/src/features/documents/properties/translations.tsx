import type { DocumentDetail, Locale } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from '../documents.module.css';
import { contentPath, documentPath } from '../shared/paths.ts';
import { TranslationTags } from '../shared/translation-tags.tsx';
import { useDocumentRights } from '../shared/use-document-rights.ts';

/** Versions that are shown of each language. */
const SHOWN = 10;

/** The languages of a document: their states, their newest versions, and the way to the text and its editor. */
export function Translations({ document }: { document: DocumentDetail }) {
  const { t } = useTranslation('documents');
  const rights = useDocumentRights();
  const seesVersions = usePermitted(['auth_docs_content_edit']) && document.may.edit;
  return (
    <div className={css.columns}>
      {document.translations.map(({ locale, state, updatedAt }) => (
        <section key={locale} className={css.translation} aria-label={t(`language.${locale}`)}>
          <div className="field-row">
            <TranslationTags of={{ translations: [{ locale, state, updatedAt }] }} />
            <ExactTime at={updatedAt} />
            {state !== 'missing' && rights.reads && (
              <LinkButton to={documentPath(document.id, { locale })}>{t('read')}</LinkButton>
            )}
            {rights.editContent(document) && (
              <LinkButton to={contentPath(document, locale)}>
                {state === 'missing' ? t('translate') : t('editContent')}
              </LinkButton>
            )}
          </div>
          {seesVersions && state !== 'missing' && <Versions id={document.id} locale={locale} />}
        </section>
      ))}
    </div>
  );
}

function Versions({ id, locale }: { id: number; locale: Locale }) {
  const { t } = useTranslation('documents');
  const versions = useQuery(
    queryOf('listVersions', { params: { id, locale }, query: { page: 1, pageSize: SHOWN } }, { quiet: true }),
  );
  if (versions.isError && !versions.data) {
    return <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />;
  }
  if (!versions.data) return <SkeletonRows rows={3} />;
  const { items, total } = versions.data;
  return (
    <>
      <ol className={css.versions} aria-label={t('versions.label')}>
        {items.map(({ version, title, author, createdAt, restored }) => (
          <li key={version}>
            <strong>{t('versions.number', { version })}</strong> <ExactTime at={createdAt} /> {author}{' '}
            <span className="quiet">{restored === null ? title : t('versions.restored', { version: restored })}</span>
          </li>
        ))}
      </ol>
      {total > items.length && <p className="quiet">{t('versions.more', { count: total - items.length })}</p>}
    </>
  );
}
