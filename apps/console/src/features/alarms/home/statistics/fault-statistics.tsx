import type { Answer } from '../../../../shared/api/client.ts';
import { AlarmFigures } from './alarm-figures.tsx';
import { FaultRanking } from './fault-ranking.tsx';
import { FaultTrend } from './fault-trend.tsx';
import { DeviceStates } from './fleet-states.tsx';

export interface StatisticsProps {
  counts: Answer<'countDevices'>;
  summary: Answer<'summarizeAlarms'> | undefined;
}

/** The numbers of alarms, the states of devices, and the ranking and trend of faults. */
export default function FaultStatistics({ counts, summary }: StatisticsProps) {
  return (
    <>
      <AlarmFigures summary={summary} />
      <DeviceStates counts={counts} />
      <FaultRanking />
      <FaultTrend />
    </>
  );
}
