import { DEVICE_TYPES } from '@chargehand/domain';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { FilterCheck } from '../../../shared/ui/filter-check.tsx';
import { SearchField } from '../../../shared/ui/list/search-field.tsx';
import { CustomerPicker, ModelPicker, SitePicker } from '../../../shared/ui/pickers.tsx';
import type { DeviceList } from './device-list.ts';

/** Search and filters of the device list, kept in the address. */
export function DeviceFilters({ list }: { list: DeviceList }) {
  const { t } = useTranslation('fleet');
  const { t: common } = useTranslation();
  const { search = '', siteId, customerId, deviceModelId, type, alarm, maintenance } = list.query;

  return (
    <search className="filters" aria-label={t('list.filters')}>
      <SearchField value={search} label={t('list.search')} onSearch={(search) => list.change({ search })} />
      <SitePicker
        value={siteId}
        customerId={customerId}
        placeholder={t('site')}
        onChange={(id) => list.change({ siteId: id })}
      />
      <CustomerPicker
        value={customerId}
        placeholder={t('customer')}
        onChange={(id) => list.change({ customerId: id, siteId: undefined })}
      />
      <ModelPicker
        value={deviceModelId}
        placeholder={t('model')}
        onChange={(id) => list.change({ deviceModelId: id })}
      />
      <Select
        allowClear
        value={type}
        placeholder={t('type')}
        aria-label={t('type')}
        popupMatchSelectWidth={false}
        options={Object.keys(DEVICE_TYPES).map((key) => ({
          value: Number(key),
          label: common(`deviceType.${key as '1'}`),
        }))}
        onChange={(next: number | undefined) => list.change({ type: next })}
      />
      <FilterCheck
        checked={alarm === 'active'}
        onChange={(checked) => list.change({ alarm: checked ? 'active' : undefined })}
      >
        {t('list.activeAlarm')}
      </FilterCheck>
      <FilterCheck
        checked={maintenance === 'due'}
        onChange={(checked) => list.change({ maintenance: checked ? 'due' : undefined })}
      >
        {t('list.maintenanceDue')}
      </FilterCheck>
      {list.filtered && (
        <button type="button" className="text-button" onClick={list.clear}>
          {common('table.clear')}
        </button>
      )}
    </search>
  );
}
