import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { branchesOf, documentsIn } from '../categories/tree.ts';
import css from '../documents.module.css';
import { useCategoryName } from '../shared/names.ts';
import { useDocumentRights } from '../shared/use-document-rights.ts';

/** The categories with their number of documents: a card for each at the top, with those below it. */
export function CategoryCards() {
  const { t } = useTranslation('documents');
  const nameOf = useCategoryName();
  const { editCategories } = useDocumentRights();
  const categories = useQuery(queryOf('listCategories', {}, { quiet: true }));
  const all = categories.data?.items;
  if (!all) return null;
  const top = all.filter(({ parentId }) => parentId === null);
  return (
    <Panel title={t('categories')}>
      {top.length === 0 ? (
        <p className={css.emptyLine}>
          <span className="quiet">{t('category.none')}</span>
          {editCategories && <LinkButton to="/manage/docs/category">{t('category.add')}</LinkButton>}
        </p>
      ) : (
        <ul className={css.cards}>
          {top.map((category) => (
            <li key={category.id} className={css.card}>
              <CategoryLink id={category.id} name={nameOf(category)} count={documentsIn(all, category)} strong />
              <ul>
                {branchesOf(all, category.id).map(({ category: below, depth }) => (
                  <li key={below.id} style={{ paddingInlineStart: depth * 12 }}>
                    <CategoryLink id={below.id} name={nameOf(below)} count={documentsIn(all, below)} />
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function CategoryLink({ id, name, count, strong }: { id: number; name: string; count: number; strong?: boolean }) {
  return (
    <Link to={`/manage/docs/home?categoryId=${id}`} className={css.categoryLink} data-strong={strong}>
      <span>{name}</span> <span className="quiet">{count}</span>
    </Link>
  );
}
