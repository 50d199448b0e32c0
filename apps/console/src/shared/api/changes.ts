import type { ChangeMessage, ChangeTopic } from '@chargehand/contract';
import type { EndpointName } from './client.ts';

/** Which reads show what of a device: when a topic changes, these are asked again. */
export const TOPIC_READS: Record<ChangeTopic, readonly EndpointName[]> = {
  state: [
    'listControls',
    'listDevices',
    'countDevices',
    'readDevice',
    'readRuntime',
    'listTransactions',
    'readSiteStates',
    'listSites',
    'readSite',
  ],
  readings: ['readRuntime', 'readSeries', 'listReadingItems'],
  alarms: [
    'listMarks',
    'listAlarms',
    'readAlarm',
    'summarizeAlarms',
    'rankAlarms',
    'readAlarmTrend',
    'listDevices',
    'readDevice',
    'readSiteStates',
    'listSites',
    'readSite',
  ],
  events: ['listDeviceEvents'],
  frames: ['listFrames'],
  executions: ['listBatches', 'readBatch', 'listBatchExecutions', 'listExecutions', 'readExecution', 'listMarks'],
  parameters: ['listParameters', 'listParameterHistory', 'compareParameters', 'readConfiguration', 'readRuntime'],
  transfers: ['listTransfers', 'listDeviceLogs', 'listFirmware', 'listBatchExecutions'],
  details: [
    'listDevices',
    'countDevices',
    'readDevice',
    'listTransactions',
    'readSiteStates',
    'listMaintenances',
    'listDeviceImages',
    'listDeviceCertificates',
  ],
};

/** Which reads show who is signed in. */
export const SESSION_READS: readonly EndpointName[] = ['listOnline', 'listOwnSessions'];

const CHANGING: ReadonlySet<unknown> = new Set([...Object.values(TOPIC_READS).flat(), ...SESSION_READS]);

/** True when a query (`[endpoint, input]`) is one that the stream ever has asked again. */
export function canChange(queryKey: readonly unknown[]): boolean {
  return CHANGING.has(queryKey[0]);
}

/** The reads that changed, by endpoint: the devices whose reads are meant. A read that names no device is always meant. */
export type Touched = Map<EndpointName, Set<number>>;

/** Adds what a message of the stream says to what was gathered before. */
export function gather(touched: Touched, message: ChangeMessage): Touched {
  for (const { deviceId, topics } of message.changes) {
    for (const name of topics.flatMap((topic) => TOPIC_READS[topic] ?? [])) {
      const devices = touched.get(name);
      if (devices) devices.add(deviceId);
      else touched.set(name, new Set([deviceId]));
    }
  }
  return touched;
}

/** Reads whose path names something else than a device. */
const OF_SOMETHING_ELSE: ReadonlySet<EndpointName> = new Set([
  'readAlarm',
  'readSite',
  'readBatch',
  'listBatchExecutions',
]);

/** True when a query (`[endpoint, input]`) shows something that changed. */
export function isTouched(touched: Touched, queryKey: readonly unknown[]): boolean {
  const name = queryKey[0] as EndpointName;
  const devices = touched.get(name);
  if (!devices) return false;
  const input = queryKey[1] as { params?: { id?: number }; query?: { deviceId?: number } } | undefined;
  const id = OF_SOMETHING_ELSE.has(name) ? undefined : (input?.params?.id ?? input?.query?.deviceId);
  return id === undefined || devices.has(Number(id));
}
