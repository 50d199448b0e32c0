import { Select } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../../../shared/ui/list/search-field.tsx';
import '../devices/devices.css';

interface Props {
  search: string | undefined;
  enabled: string | undefined;
  filtered: boolean;
  change(change: { search?: string | undefined; enabled?: string | undefined }): void;
  clear(): void;
  /** further filters */
  children?: ReactNode;
}

/** Search and filters of a list of customers or sites, kept in the address. */
export function PlaceFilters({ search = '', enabled, filtered, change, clear, children }: Props) {
  const { t } = useTranslation('places');
  const { t: common } = useTranslation();
  return (
    <search className="filters" aria-label={t('filters')}>
      <SearchField value={search} label={t('search')} onSearch={(search) => change({ search })} />
      {children}
      <Select
        allowClear
        value={enabled}
        placeholder={t('state')}
        aria-label={t('state')}
        popupMatchSelectWidth={false}
        options={[
          { value: 'true', label: t('enabled') },
          { value: 'false', label: t('disabled') },
        ]}
        onChange={(next: string | undefined) => change({ enabled: next })}
      />
      {filtered && (
        <button type="button" className="text-button" onClick={clear}>
          {common('table.clear')}
        </button>
      )}
    </search>
  );
}
