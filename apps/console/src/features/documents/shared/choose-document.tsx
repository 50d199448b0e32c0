import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { SearchField } from '../../../shared/ui/list/search-field.tsx';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { DocumentLinks } from './document-links.tsx';

const SHOWN = 20;

/** A page that was opened without a document: a list to choose one from. */
export function ChooseDocument({ title, to }: { title: string; to(id: number): string }) {
  const { t } = useTranslation('documents');
  const lists = usePermitted(['auth_docs_list', 'auth_docs_home_list_all']);
  return <Page title={title}>{lists ? <Choices to={to} /> : <EmptyState text={t('choose.byLink')} />}</Page>;
}

function Choices({ to }: { to(id: number): string }) {
  const { t } = useTranslation('documents');
  const { t: common } = useTranslation();
  const [search, setSearch] = useState<string>();
  const documents = useQuery({
    ...queryOf('listDocuments', { query: { page: 1, pageSize: SHOWN, sort: '-updatedAt', search } }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const { data } = documents;
  return (
    <Panel
      title={t('choose.title')}
      extra={<SearchField value={search} label={t('list.search')} onSearch={setSearch} />}
    >
      {documents.isError && !data ? (
        <ErrorState error={documents.error} onRetry={() => void documents.refetch()} />
      ) : !data ? (
        <SkeletonRows rows={8} />
      ) : data.items.length === 0 ? (
        <EmptyState text={search === undefined ? t('list.empty') : common('table.noMatch')} />
      ) : (
        <>
          <DocumentLinks
            documents={data.items}
            to={({ id }) => to(id)}
            aside={({ updatedAt }) => <TimeAgo at={updatedAt} />}
          />
          {data.total > data.items.length && <p className="quiet">{t('choose.more', { count: data.total })}</p>}
        </>
      )}
    </Panel>
  );
}
