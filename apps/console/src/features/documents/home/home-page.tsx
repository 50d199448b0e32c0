import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import css from '../documents.module.css';
import { SearchInput } from '../search/search-input.tsx';
import { DocumentLinks } from '../shared/document-links.tsx';
import { addPath, documentPath, searchPath } from '../shared/paths.ts';
import { useDocumentRights } from '../shared/use-document-rights.ts';
import { AlarmDocuments } from './alarm-documents.tsx';
import { CategoryCards } from './category-cards.tsx';
import { CategoryDocuments } from './category-documents.tsx';

/**
 * The start of the documents: search, documents for open alarms, the most read and recently changed ones, and the
 * categories. `?categoryId=` shows the documents of one category.
 */
export default function HomePage() {
  const { t } = useTranslation('documents');
  const { t: routes } = useTranslation('routes');
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const rights = useDocumentRights();
  const categoryId = Number(search.get('categoryId')) || null;
  return (
    <Page
      title={routes('docsHome')}
      actions={
        <>
          {rights.lists && <LinkButton to="/manage/docs/list">{routes('docsList')}</LinkButton>}
          {rights.categories && <LinkButton to="/manage/docs/category">{t('categories')}</LinkButton>}
          {rights.add && (
            <LinkButton to={addPath(categoryId === null ? {} : { categoryId })} primary>
              {t('add')}
            </LinkButton>
          )}
        </>
      }
    >
      {rights.searches && (
        <SearchInput
          value=""
          label={t('search.label')}
          onSearch={(text) => text && navigate(searchPath(text))}
          onEnter
        />
      )}
      {categoryId === null ? <Overview /> : <CategoryDocuments key={categoryId} id={categoryId} />}
    </Page>
  );
}

function Overview() {
  const { t } = useTranslation('documents');
  const rights = useDocumentRights();
  const home = useQuery(queryOf('readDocumentHome', {}, { quiet: true }));
  if (home.isError && !home.data) return <ErrorState error={home.error} onRetry={() => void home.refetch()} />;
  if (!home.data) return <SkeletonRows rows={12} />;
  const { mostRead, recent, forAlarms } = home.data;
  const to = ({ id }: { id: number }) => documentPath(id);
  if (recent.length === 0 && forAlarms.length === 0) {
    return (
      <>
        <EmptyState
          text={t('home.empty')}
          action={
            rights.add && (
              <LinkButton to={addPath()} primary>
                {t('add')}
              </LinkButton>
            )
          }
        />
        <CategoryCards />
      </>
    );
  }
  return (
    <>
      <AlarmDocuments alarms={forAlarms} />
      <div className={mostRead.length > 0 ? css.columns : undefined}>
        {mostRead.length > 0 && (
          <Panel title={t('home.mostRead')}>
            <DocumentLinks documents={mostRead} to={to} aside={({ reads }) => t('home.reads', { count: reads })} />
          </Panel>
        )}
        <Panel title={t('home.recent')}>
          <DocumentLinks documents={recent} to={to} aside={({ updatedAt }) => <TimeAgo at={updatedAt} />} />
        </Panel>
      </div>
      <CategoryCards />
    </>
  );
}
