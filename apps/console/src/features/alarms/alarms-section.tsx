import type { DeviceDetail } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useListQuery } from '../../shared/hooks/use-list-query.ts';
import { ALARM_LIST, AlarmList, alarmQueryOf } from './alarm-list.tsx';

/** The alarm episodes of a device. */
export default function AlarmsSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('alarms');
  const list = useListQuery(ALARM_LIST);
  const alarms = useQuery({
    ...queryOf('listAlarms', { params: { id: device.id }, query: alarmQueryOf(list.query) }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  return <AlarmList label={t('title')} alarms={alarms} list={list} />;
}
