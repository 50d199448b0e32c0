import { deviceStatus } from '@chargehand/domain';
import { followStatuses } from '../../alarms/index.ts';
import type { Query } from '../../platform/database/statement.ts';
import type { Events } from '../../ports/events.ts';
import { readDeviceFacts, writeDeviceStatuses } from './device-status.store.ts';

/**
 * Updates the stored status of devices from what is known of them. Returns the devices that changed, and those whose
 * alarms changed.
 */
export async function updateDeviceStatuses(
  client: Query,
  deviceIds: readonly number[],
): Promise<{ changed: number[]; alarmed: Iterable<number> }> {
  const changed: number[] = [];
  const alarmed = new Set<number>();
  // Another writer can change a status between reading and writing, from older facts. Such a device is derived again.
  for (let left = deviceIds; left.length > 0; ) {
    const rows = await readDeviceFacts(client, left);
    const changes = rows
      .map(({ deviceId, status, facts }) => ({
        deviceId,
        was: status,
        status: deviceStatus(facts),
        atWork: facts.maintenance || facts.updatingFirmware,
      }))
      .filter((change) => change.was !== change.status);
    const written = await writeDeviceStatuses(client, changes);
    const own = changes.filter(({ deviceId }) => written.has(deviceId));
    for (const deviceId of await followStatuses(client, own)) alarmed.add(deviceId);
    changed.push(...written);
    left = changes.filter(({ deviceId }) => !written.has(deviceId)).map(({ deviceId }) => deviceId);
  }
  return { changed, alarmed };
}

/**
 * How long changes are collected before statuses are derived: short compared to the second in which a change must be
 * visible.
 */
const BATCH_MS = 100;
const RETRY_MS = 1_000;

export interface StatusUpdater {
  /** Something that decides the status of these devices was stored. */
  changed(deviceIds: Iterable<number>): void;
  stop(): Promise<void>;
}

/**
 * Derives the status of devices shortly after its facts were stored. The status is derived from stored facts, so the
 * device need not wait for it. A connector that changes ten times a second costs one update per interval.
 */
export function statusUpdater(parts: { client: Query; events: Events; onError(error: unknown): void }): StatusUpdater {
  let waiting = new Set<number>();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;

  const derive = async () => {
    timer = null;
    const devices = waiting;
    waiting = new Set();
    try {
      const { changed, alarmed } = await updateDeviceStatuses(parts.client, [...devices]);
      for (const deviceId of changed) parts.events.publish('device.state', { id: deviceId });
      for (const deviceId of alarmed) parts.events.publish('device.alarms', { id: deviceId });
    } catch (error) {
      parts.onError(error);
      for (const deviceId of devices) waiting.add(deviceId);
    }
    if (waiting.size > 0 && !stopped && timer === null) schedule(RETRY_MS);
  };
  const schedule = (delay: number) => {
    timer = setTimeout(() => {
      running = running.then(derive);
    }, delay);
  };
  return {
    changed(deviceIds) {
      for (const deviceId of deviceIds) waiting.add(deviceId);
      if (waiting.size > 0 && timer === null && !stopped) schedule(BATCH_MS);
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
      if (waiting.size > 0) await derive();
    },
  };
}
