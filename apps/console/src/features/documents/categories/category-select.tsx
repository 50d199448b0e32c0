import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useCategoryName } from '../shared/names.ts';
import { branchesOf, pathTo } from './tree.ts';

interface Props {
  /** set by a surrounding form item */
  id?: string;
  value?: number | undefined;
  onChange?: (id: number | undefined) => void;
  placeholder: string;
  clearable?: boolean;
}

/** Selects a category by its name and those of the categories above it. */
export function CategorySelect({ id, value, onChange, placeholder, clearable = false }: Props) {
  const { t } = useTranslation('documents');
  const nameOf = useCategoryName();
  const categories = useQuery(queryOf('listCategories', {}, { quiet: true }));
  const all = categories.data?.items ?? [];
  const options = branchesOf(all).map(({ category }) => ({
    value: category.id,
    label: pathTo(all, category.id).map(nameOf).join(' / '),
  }));
  return (
    <Select<number>
      // Inside a form, the label of the form item names the field.
      {...(id === undefined ? { 'aria-label': placeholder } : { id })}
      showSearch={{ optionFilterProp: 'label' }}
      allowClear={clearable}
      // Until the names are loaded, the ID of the category would be shown.
      value={categories.data ? value : undefined}
      placeholder={placeholder}
      loading={categories.isPending}
      notFoundContent={t('category.none')}
      popupMatchSelectWidth={false}
      options={options}
      onChange={(next: number | undefined) => onChange?.(next)}
    />
  );
}
