import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FilterField, List } from '../../hooks/lists/use-list-query.ts';
import { useMedia } from '../../hooks/use-media.ts';
import type { Filters } from '../../lib/lists/list-query.ts';
import { LateSelect } from '../late/late-select.tsx';
import { SearchField } from '../list/search-field.tsx';
import './filter-bar.css';

interface Props {
  list: Pick<List<Filters, string>, 'query' | 'filtered' | 'clear' | 'change'>;
  /** What the search field searches; omitted: no search field. The list's spec has a filter `search`. */
  search?: string | undefined;
  /** further fields: `<FilterSelect {...list.field('status')} … />` */
  children?: ReactNode;
  /** further fields after them */
  more?: ReactNode;
  /** at the end of the bar, such as an export button */
  extra?: ReactNode;
}

/**
 * The filters of a list: the search field, further fields, and a button that clears them all while any is set.
 */
export function FilterBar({ list, search, children, more, extra }: Props) {
  const { t } = useTranslation();
  return (
    <search className="filters" aria-label={t('table.filters')}>
      {search !== undefined && (
        <SearchField
          value={list.query.search as string | undefined}
          label={search}
          onSearch={(text) => list.change({ search: text })}
        />
      )}
      {(children || more) && (
        <FilterFold filtered={list.filtered}>
          {children}
          {more}
        </FilterFold>
      )}
      {list.filtered && <ClearFilters onClear={list.clear} />}
      {extra && <span className="filters-extra">{extra}</span>}
    </search>
  );
}

/** Fields of a filter. On a phone they are folded, so that the rows begin on the first screen. */
export function FilterFold({ filtered, children }: { filtered: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  const narrow = useMedia('(max-width: 760px)');
  if (!narrow) return children;
  return (
    <details className="filters-more" data-filtered={filtered}>
      <summary>{t('table.filter')}</summary>
      <div className="filters">{children}</div>
    </details>
  );
}

/** Clears the filters of a list. */
export function ClearFilters({ onClear }: { onClear(): void }) {
  const { t } = useTranslation();
  return (
    <button type="button" className="text-button" onClick={onClear}>
      {t('table.clear')}
    </button>
  );
}

/** A filter with a few options. Its label is shown in the field until one is selected. */
export function FilterSelect<V extends string | number>(
  props: FilterField<V> & { label: string; options: readonly { value: V; label: ReactNode }[] | undefined },
) {
  return (
    <LateSelect<V>
      allowClear
      value={props.value}
      placeholder={props.label}
      aria-label={props.label}
      popupMatchSelectWidth={false}
      options={[...(props.options ?? [])]}
      onChange={(value: V | undefined) => props.onChange(value)}
    />
  );
}

/** A filter for enabled or disabled rows. */
export function EnabledFilter(props: FilterField<boolean> & { label: string; on: string; off: string }) {
  return (
    <FilterSelect<'true' | 'false'>
      label={props.label}
      value={props.value === undefined ? undefined : props.value ? 'true' : 'false'}
      options={[
        { value: 'true', label: props.on },
        { value: 'false', label: props.off },
      ]}
      onChange={(value) => props.onChange(value === undefined ? undefined : value === 'true')}
    />
  );
}
