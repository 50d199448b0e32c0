import { Input, Select } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTyped } from '../../../shared/hooks/use-typed.ts';
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
  const typed = useTyped(search, (text) => change({ search: text || undefined }));
  return (
    <search className="filters" aria-label={t('filters')}>
      <Input.Search
        className="filters-search"
        allowClear
        value={typed.text}
        placeholder={t('search')}
        aria-label={t('search')}
        onChange={(event) => typed.type(event.target.value)}
        onSearch={typed.settleNow}
      />
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
