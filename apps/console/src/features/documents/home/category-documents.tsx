import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../../shared/ui/list-page/list-page.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { pathTo } from '../categories/tree.ts';
import css from '../documents.module.css';
import { LanguageTag } from '../shared/language-tag.tsx';
import { titleOf, useCategoryName } from '../shared/names.ts';
import { documentPath } from '../shared/paths.ts';

const filters = { categoryId: 'number', search: 'text' } as const;
const SPEC: ListSpec<typeof filters, 'title' | 'updatedAt' | 'reads'> = {
  filters,
  sorts: ['title', 'updatedAt', 'reads'],
};

/** The documents of one category and of those below it. */
export function CategoryDocuments({ id }: { id: number }) {
  const { t } = useTranslation('documents');
  const { t: routes } = useTranslation('routes');
  const navigate = useNavigate();
  const nameOf = useCategoryName();
  const categories = useQuery(queryOf('listCategories', {}, { quiet: true }));
  const list = useList(SPEC, 'listDocuments', (query) => ({ query: { ...query, categoryId: id, enabled: true } }));
  const path = pathTo(categories.data?.items ?? [], id);
  const name = path.at(-1) ? nameOf(path.at(-1)!) : '';
  return (
    <>
      <h2 className={css.categoryPath}>
        <Link to="/manage/docs/home">{routes('docsHome')}</Link>
        {path.map((category, depth) => (
          <span key={category.id}>
            {' / '}
            {depth === path.length - 1 ? (
              nameOf(category)
            ) : (
              <Link to={`/manage/docs/home?categoryId=${category.id}`}>{nameOf(category)}</Link>
            )}
          </span>
        ))}
      </h2>
      <ListSection
        label={name}
        list={list}
        search={t('list.search')}
        columns={[
          {
            title: t('title'),
            sortBy: 'title',
            render: (_, document) => (
              <span className={css.linkText}>
                <span>
                  <Link className={css.titleLink} to={documentPath(document.id)} tabIndex={-1}>
                    {titleOf(document)}
                  </Link>{' '}
                  <LanguageTag of={document.locale} />
                </span>
                <span className={css.summary}>{document.description}</span>
              </span>
            ),
          },
          { title: t('reads'), sortBy: 'reads', align: 'end', render: (_, { reads }) => reads.toLocaleString('en-US') },
          { title: t('updatedAt'), sortBy: 'updatedAt', render: (_, { updatedAt }) => <TimeAgo at={updatedAt} /> },
        ]}
        onOpen={(document) => navigate(documentPath(document.id))}
        empty={t('category.noDocuments')}
        compact={(document) => (
          <ListCard title={titleOf(document)} aside={<LanguageTag of={document.locale} />}>
            {document.description && <CardLine>{document.description}</CardLine>}
            <CardLine end={<TimeAgo at={document.updatedAt} />} />
          </ListCard>
        )}
      />
    </>
  );
}
