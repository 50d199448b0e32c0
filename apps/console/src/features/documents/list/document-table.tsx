import type { DocumentRow } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { useLevelName } from '../../../shared/i18n/use-level-name.ts';
import { filtersIn, type ListSpec } from '../../../shared/lib/lists/list-query.ts';
import type { DataColumn } from '../../../shared/ui/list-page/data-table.tsx';
import { EnabledFilter, FilterSelect } from '../../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../../shared/ui/list-page/list-page.tsx';
import { CustomerPicker, ModelPicker } from '../../../shared/ui/list-page/pickers.tsx';
import { ExactTime, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { CategorySelect } from '../categories/category-select.tsx';
import { pathTo } from '../categories/tree.ts';
import css from '../documents.module.css';
import { EnabledTag } from '../shared/enabled-tag.tsx';
import { LanguageTag } from '../shared/language-tag.tsx';
import { TYPES, titleOf, useCategoryName, useTypeName } from '../shared/names.ts';
import { documentPath } from '../shared/paths.ts';
import { TranslationTags } from '../shared/translation-tags.tsx';
import { useDocumentRights } from '../shared/use-document-rights.ts';
import { RowActions } from './row-actions.tsx';
import { useDocumentBulk } from './use-document-bulk.ts';
import { useExport } from './use-export.tsx';

const STATES = ['missing', 'outdated', 'current'] as const;
const SORTS = ['name', 'title', 'updatedAt', 'reads'] as const;
const filters = {
  search: 'text',
  type: TYPES,
  categoryId: 'number',
  customerId: 'number',
  deviceModelId: 'number',
  enabled: 'flag',
  translation: STATES,
} as const;
const SPEC: ListSpec<typeof filters, (typeof SORTS)[number]> = { filters, sorts: SORTS };

/** The documents with the state of their languages. */
export function DocumentTable() {
  const { t } = useTranslation('documents');
  const { t: routes } = useTranslation('routes');
  const navigate = useNavigate();
  const typeName = useTypeName();
  const levelName = useLevelName();
  const categoryName = useCategoryName();
  const list = useList(SPEC, 'listDocuments', (query) => ({ query }));
  const categories = useQuery(queryOf('listCategories', {}, { quiet: true }));
  const { choosesOwner } = useDocumentRights();
  const exporting = useExport();
  const bulk = useDocumentBulk(exporting.run);
  const categoryOf = ({ categoryId }: DocumentRow) =>
    pathTo(categories.data?.items ?? [], categoryId)
      .map(categoryName)
      .join(' / ');

  const columns: DataColumn<DocumentRow, (typeof SORTS)[number]>[] = [
    {
      name: 'title',
      always: true,
      title: t('title'),
      sortBy: 'title',
      render: (_, document) => (
        <>
          <Link className={css.titleLink} to={documentPath(document.id)} tabIndex={-1}>
            {titleOf(document)}
          </Link>{' '}
          <LanguageTag of={document.locale} />
        </>
      ),
    },
    { name: 'name', title: t('name'), sortBy: 'name', dataIndex: 'name', optional: true },
    { name: 'type', title: t('type.label'), render: (_, { type }) => typeName(type) },
    {
      name: 'category',
      title: t('category.label'),
      render: (_, document) => <span title={categoryOf(document)}>{categoryOf(document).split(' / ').at(-1)}</span>,
    },
    { name: 'owner', title: t('owner.label'), render: (_, { customer }) => customer ?? t('owner.platform') },
    {
      name: 'languages',
      title: t('languages'),
      className: css.languages,
      render: (_, document) => <TranslationTags of={document} />,
    },
    { name: 'state', title: t('state'), render: (_, { enabled }) => <EnabledTag enabled={enabled} /> },
    {
      name: 'reads',
      title: t('reads'),
      sortBy: 'reads',
      align: 'end',
      render: (_, { reads }) => reads.toLocaleString('en-US'),
    },
    {
      name: 'readLevel',
      optional: true,
      title: t('readLevel'),
      render: (_, { readLevel }) => levelName(readLevel),
    },
    {
      name: 'writeLevel',
      optional: true,
      title: t('writeLevel'),
      render: (_, { writeLevel }) => levelName(writeLevel),
    },
    {
      name: 'updatedAt',
      title: t('updatedAt'),
      sortBy: 'updatedAt',
      render: (_, { updatedAt }) => <ExactTime at={updatedAt} />,
    },
    { name: 'updatedBy', title: t('updatedBy'), dataIndex: 'updatedBy' },
  ];
  return (
    <>
      <ListSection
        label={routes('docsList')}
        list={list}
        search={t('list.search')}
        filters={
          <FilterSelect
            label={t('type.label')}
            options={TYPES.map((value) => ({ value, label: typeName(value) }))}
            {...list.field('type')}
          />
        }
        moreFilters={
          <>
            <CategorySelect placeholder={t('category.label')} clearable {...list.field('categoryId')} />
            {choosesOwner && <CustomerPicker placeholder={t('list.owner')} {...list.field('customerId')} />}
            <ModelPicker placeholder={t('list.model')} {...list.field('deviceModelId')} />
            <FilterSelect
              label={t('list.language')}
              options={STATES.map((value) => ({ value, label: t(`translation.${value}`) }))}
              {...list.field('translation')}
            />
            <EnabledFilter label={t('state')} on={t('enabled')} off={t('disabled')} {...list.field('enabled')} />
          </>
        }
        columns={columns}
        rowActions={(document) => <RowActions document={document} />}
        keep="documents"
        bulk={bulk && { ...bulk, matching: () => call('selectDocuments', { query: filtersIn(list.query) }) }}
        onOpen={(document) => navigate(documentPath(document.id))}
        empty={t('list.empty')}
        compact={(document) => (
          <ListCard title={titleOf(document)} aside={<RowActions document={document} />}>
            <CardLine>{categoryOf(document)}</CardLine>
            <CardLine end={<TimeAgo at={document.updatedAt} />}>
              <span className={css.tags}>
                <TranslationTags of={document} />
                {!document.enabled && <EnabledTag enabled={false} />}
              </span>
            </CardLine>
          </ListCard>
        )}
      />
      {exporting.dialog}
    </>
  );
}
