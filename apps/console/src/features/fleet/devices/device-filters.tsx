import { DEVICE_TYPES } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { FilterSelect } from '../../../shared/ui/list-page/filter-bar.tsx';
import { FilterCheck } from '../../../shared/ui/list-page/filter-check.tsx';
import { CustomerPicker, ModelPicker, SitePicker } from '../../../shared/ui/list-page/pickers.tsx';
import type { DeviceList } from './device-list.ts';

/** The filters of the device list in addition to its search. */
export function DeviceFilters({ list }: { list: DeviceList }) {
  const { t } = useTranslation('fleet');
  const { t: common } = useTranslation();
  const { customerId, alarm, maintenance } = list.query;
  return (
    <>
      <SitePicker customerId={customerId} placeholder={t('site')} {...list.field('siteId')} />
      <CustomerPicker
        value={customerId}
        placeholder={t('customer')}
        onChange={(id) => list.change({ customerId: id, siteId: undefined })}
      />
      <ModelPicker placeholder={t('model')} {...list.field('deviceModelId')} />
      <FilterSelect
        label={t('type')}
        options={Object.keys(DEVICE_TYPES).map((key) => ({
          value: Number(key),
          label: common(`deviceType.${key as '1'}`),
        }))}
        {...list.field('type')}
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
    </>
  );
}
