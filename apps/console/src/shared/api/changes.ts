import type { ChangeMessage, ChangeTopic } from '@chargehand/contract';
import type { EndpointName } from './client.ts';

/** Which reads show what of a device: when a topic changes, these are asked again. */
export const TOPIC_READS: Record<ChangeTopic, readonly EndpointName[]> = {
  state: ['listDevices', 'countDevices', 'readDevice', 'readRuntime'],
  readings: ['readRuntime', 'readSeries', 'listReadingItems'],
  alarms: ['listAlarms', 'listDevices', 'readDevice'],
  events: ['listDeviceEvents'],
  frames: ['listFrames'],
  executions: ['listExecutions'],
  parameters: ['listParameters'],
  details: ['listDevices', 'countDevices', 'readDevice', 'listTransactions'],
};

/** Which reads show who is signed in. */
export const SESSION_READS: readonly EndpointName[] = ['listOnline', 'listOwnSessions'];

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

/** True when a query (`[endpoint, input]`) shows something that changed. */
export function isTouched(touched: Touched, queryKey: readonly unknown[]): boolean {
  const devices = touched.get(queryKey[0] as EndpointName);
  if (!devices) return false;
  const id = (queryKey[1] as { params?: { id?: number } } | undefined)?.params?.id;
  return id === undefined || devices.has(Number(id));
}
