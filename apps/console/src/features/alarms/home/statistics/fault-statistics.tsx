import type { UseQueryResult } from '@tanstack/react-query';
import type { Answer } from '../../../../shared/api/client.ts';
import { AlarmFigures } from './alarm-figures.tsx';
import { FaultRanking } from './fault-ranking.tsx';
import { FaultTrend } from './fault-trend.tsx';
import { DeviceStates, SiteStates } from './fleet-states.tsx';

export interface StatisticsProps {
  counts: Answer<'countDevices'>;
  sites: UseQueryResult<Answer<'readSiteStates'>>;
  summary: Answer<'summarizeAlarms'> | undefined;
}

/** The numbers of alarms, the states of devices and sites, and the ranking and trend of faults. */
export default function FaultStatistics({ counts, sites, summary }: StatisticsProps) {
  return (
    <>
      <AlarmFigures summary={summary} />
      <DeviceStates counts={counts} />
      <SiteStates sites={sites} />
      <FaultRanking />
      <FaultTrend />
    </>
  );
}
