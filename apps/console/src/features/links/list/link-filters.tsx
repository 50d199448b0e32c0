import { LINK_KINDS, type LinkKind } from '@chargehand/domain';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { DeviceFilter } from '../../../shared/ui/list-page/device/device-filter.tsx';
import { FilterCheck } from '../../../shared/ui/list-page/filter-check.tsx';
import { FilterText, FilterTimes } from '../../../shared/ui/list-page/filter-inputs.tsx';
import css from '../links.module.css';
import type { LinkFilters, LinkPlace } from './use-links.ts';

interface Props {
  place: LinkPlace;
  filters: LinkFilters;
  onChange(change: (before: LinkFilters) => LinkFilters): void;
}

/** The filters of past links. */
export function LinkFilterBar({ place, filters, onChange }: Props) {
  const { t } = useTranslation('links');
  const set = <K extends keyof LinkFilters>(key: K, value: LinkFilters[K] | undefined) =>
    onChange(({ [key]: _, ...others }) => (value === undefined ? others : { ...others, [key]: value }) as LinkFilters);
  return (
    <search className={css.filters}>
      <Select<LinkKind | 'all'>
        aria-label={t('filter.kind')}
        value={filters.kind ?? 'all'}
        options={(['all', ...LINK_KINDS] as const).map((value) => ({
          value,
          label: value === 'all' ? t('filter.allKinds') : t(`kinds.${value}`),
        }))}
        onChange={(kind) => set('kind', kind === 'all' ? undefined : kind)}
      />
      {place.deviceId === undefined && place.issueId === undefined && (
        <DeviceFilter
          placeholder={t('filter.device')}
          siteId={place.siteId}
          value={filters.deviceId}
          onChange={(id) => set('deviceId', id)}
        />
      )}
      <FilterText
        label={t('filter.user')}
        maxLength={100}
        value={filters.user}
        onChange={(user) => set('user', user)}
      />
      <FilterTimes
        labels={[t('filter.from'), t('filter.to')]}
        from={{ value: filters.from, onChange: (from) => set('from', from) }}
        to={{ value: filters.to, onChange: (to) => set('to', to) }}
      />
      <FilterCheck checked={filters.recorded === true} onChange={(on) => set('recorded', on || undefined)}>
        {t('filter.recorded')}
      </FilterCheck>
    </search>
  );
}
