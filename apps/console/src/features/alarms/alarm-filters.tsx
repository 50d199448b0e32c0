import type { AlarmSummary } from '@chargehand/contract';
import { ALARM_KINDS, ALARM_LEVELS } from '@chargehand/domain';
import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { EnabledFilter, FilterSelect } from '../../shared/ui/list-page/filter-bar.tsx';
import { FilterText, FilterTimes } from '../../shared/ui/list-page/filter-inputs.tsx';
import { CustomerPicker, ModelPicker, SitePicker } from '../../shared/ui/list-page/pickers.tsx';
import { AlarmLevel } from '../../shared/ui/tags/alarm-level.tsx';
import type { AlarmList, AlarmPlace } from './alarm-list.ts';

/** The filters by state, with the number of active alarms, and by level. */
export function AlarmFilters({ list, summary }: { list: AlarmList; summary: AlarmSummary | undefined }) {
  const { t } = useTranslation('alarms');
  const { t: common } = useTranslation();
  const open = summary ? `${t('states.open')} ${summary.total.toLocaleString('en-US')}` : t('states.open');
  return (
    <>
      <Segmented<'open' | 'cleared' | 'all'>
        aria-label={t('state')}
        value={list.query.state ?? 'open'}
        options={[
          { value: 'open', label: open },
          { value: 'cleared', label: t('states.cleared') },
          { value: 'all', label: common('all') },
        ]}
        onChange={(next) => list.change({ state: next === 'open' ? undefined : next })}
      />
      <FilterSelect
        label={t('level')}
        options={[...ALARM_LEVELS].reverse().map((value) => ({
          value,
          label: <AlarmLevel level={value} />,
        }))}
        {...list.field('level')}
      />
    </>
  );
}

/** The other filters of alarms. */
export function MoreAlarmFilters({ list, place }: { list: AlarmList; place: AlarmPlace }) {
  const { t } = useTranslation('alarms');
  const { customerId } = list.query;
  return (
    <>
      <FilterSelect
        label={t('kind')}
        options={ALARM_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        {...list.field('kind')}
      />
      <EnabledFilter
        label={t('acknowledgement')}
        on={t('acknowledged')}
        off={t('notAcknowledged')}
        {...list.field('acknowledged')}
      />
      <EnabledFilter label={t('counting')} on={t('suppressed')} off={t('counted')} {...list.field('suppressed')} />
      {place.deviceId === undefined && place.siteId === undefined && (
        <>
          <SitePicker customerId={customerId} placeholder={t('site')} {...list.field('siteId')} />
          <CustomerPicker
            value={customerId}
            placeholder={t('customer')}
            onChange={(id) => list.change({ customerId: id, siteId: undefined })}
          />
          <ModelPicker placeholder={t('model')} {...list.field('deviceModelId')} />
        </>
      )}
      <FilterText label={t('code')} maxLength={64} {...list.field('code')} />
      <FilterTimes labels={[t('from'), t('to')]} from={list.field('from')} to={list.field('to')} />
    </>
  );
}
