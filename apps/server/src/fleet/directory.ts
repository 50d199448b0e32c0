import { isSn, storableParts } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { batching } from '../platform/work/batching.ts';
import type { DeviceDirectory, UnknownDevice } from '../ports/devices/device-directory.ts';
import type { Events } from '../ports/events.ts';
import { confirmNewPassword, findKnownDevices, findMissingReports } from './directory.store.ts';
import { recordAttempts, trimWaitingDevices } from './waiting-devices/waiting-devices.store.ts';

/**
 * The maximum number of unregistered devices that are remembered. A new one replaces the one that has been silent
 * longest.
 */
const WAITING_LIMIT = 10_000;

/** The maximum number of different names that wait for one statement. More are not worth their cost. */
const BATCH_LIMIT = 1_000;

/** The maximum length of text that is stored of an unknown device. */
const TEXT_LIMIT = 200;

/**
 * Gives gateways the data of devices. Look-ups and attempts of unknown devices are batched while a statement runs and
 * go into the next one, so that a flood of invented names keeps at most one connection busy for each.
 */
export function deviceDirectory(db: Kysely<Database>, events?: Events): DeviceDirectory {
  let batch = new Map<string, UnknownDevice & { attempts: number }>();
  let storing: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  const storeBatch = async () => {
    const attempts = [...batch.values()];
    batch = new Map();
    next = null;
    if (attempts.length === 0) return;
    await recordAttempts(db, attempts);
    await trimWaitingDevices(db, WAITING_LIMIT);
  };
  /** Resolves once everything collected so far is stored. */
  const stored = (): Promise<void> => {
    next ??= (storing ?? Promise.resolve()).then(storeBatch, storeBatch);
    const running = next;
    storing = running;
    return running;
  };

  const lookUp = batching((sns: readonly string[]) => findKnownDevices(db, sns));

  return {
    find: async (sn) => (isSn(sn) ? ((await lookUp(sn.toLowerCase())) ?? null) : null),
    async usedNewPassword(deviceId, hash) {
      if (await confirmNewPassword(db, deviceId, hash)) events?.publish('device.details', { id: deviceId });
    },
    missingReports: (deviceIds) => findMissingReports(db, deviceIds),
    async reportUnknown(device) {
      if (!isSn(device.sn)) return;
      const key = device.sn.toLowerCase();
      const known = batch.get(key);
      if (!known && batch.size >= BATCH_LIMIT) return;
      batch.set(key, { ...storable(device), attempts: (known?.attempts ?? 0) + (device.again ? 0 : 1) });
      await stored();
    },
  };
}

/** The device's text without characters that the database cannot store. */
function storable(device: UnknownDevice): UnknownDevice {
  const text = (value: string) => value.slice(0, TEXT_LIMIT);
  const nullable = (value: string | null) => (value === null ? null : text(value));
  return storableParts({
    sn: device.sn,
    mac: nullable(device.mac),
    protocolVersion: text(device.protocolVersion),
    remoteAddress: text(device.remoteAddress),
    vendor: nullable(device.vendor),
    model: nullable(device.model),
    serialNumber: nullable(device.serialNumber ?? null),
    firmwareVersion: nullable(device.firmwareVersion ?? null),
    waiting: device.waiting ?? false,
  });
}
