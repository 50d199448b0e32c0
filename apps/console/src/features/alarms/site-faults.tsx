import { POLL_MS } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useListQuery } from '../../shared/hooks/use-list-query.ts';
import { ALARM_LIST, AlarmList, alarmLevelOf, alarmQueryOf } from './alarm-list.tsx';

/** What is wrong and what was wrong at a site: the alarm episodes of its devices. */
export default function SiteFaults({ siteId }: { siteId: number }) {
  const { t } = useTranslation('alarms');
  const list = useListQuery(ALARM_LIST);
  const alarms = useQuery({
    ...queryOf(
      'listSiteAlarms',
      { params: { id: siteId }, query: { ...alarmQueryOf(list.query), level: alarmLevelOf(list.query) } },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
  return <AlarmList label={t('siteFaults')} alarms={alarms} list={list} ofDevices />;
}
