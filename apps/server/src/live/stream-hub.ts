import { FLEET_TOPICS } from '@chargehand/contract';
import { inScope, type Scope } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Bus, Stop } from '../platform/bus/bus.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { DevicePlace } from '../ports/changes.ts';
import { bitsOf, CHANGES_SUBJECT, type GatheredChanges } from './change-feed.ts';
import { findPlaces } from './places.store.ts';

/** Places remembered; beyond it the memory starts afresh. */
const PLACES_LIMIT = 200_000;

/** Messages that wait while the database is slow; beyond it they are dropped and listeners fetch again. */
const BEHIND_LIMIT = 20;

const FLEET_BITS = bitsOf(FLEET_TOPICS);

/** Somebody who listens to the stream. */
export interface Listener {
  /** what they may see, as it stands now */
  scope(): Scope;
  /** the devices of which they hear every topic */
  devices: ReadonlySet<number>;
  changed(changes: ReadonlyMap<number, number>): void;
  resync(): void;
}

export interface StreamHub {
  add(listener: Listener): Stop;
  size(): number;
  stop(): void;
}

/** Hears what changed anywhere and tells each listener what they may know of it. Without listeners it does nothing. */
export function streamHub(parts: { bus: Bus; db: Kysely<Database>; log: Log }): StreamHub {
  const { bus, db, log } = parts;
  const listeners = new Set<Listener>();
  const places = new Map<number, DevicePlace>();
  let unsubscribe: Stop | null = null;
  let last: Promise<void> = Promise.resolve();
  let behind = 0;
  // A message that was dropped may have told that a device left its place.
  let missed = false;

  const tell = async ({ changed, left }: GatheredChanges) => {
    try {
      if (missed || places.size > PLACES_LIMIT) places.clear();
      missed = false;
      const changes = new Map(changed);
      const placesOf = await placesNow(db, places, changes, left);
      for (const listener of listeners) {
        const heard = heardBy(listener, changes, placesOf);
        if (heard.size > 0) listener.changed(heard);
      }
    } catch (error) {
      log.warn({ err: error }, 'changes could not be told; every listener is asked to fetch again');
      for (const listener of listeners) listener.resync();
    }
  };
  const sleep = () => {
    unsubscribe?.();
    unsubscribe = null;
    places.clear();
  };
  return {
    add(listener) {
      listeners.add(listener);
      unsubscribe ??= bus.subscribe(CHANGES_SUBJECT, (message) => {
        if (behind >= BEHIND_LIMIT) {
          missed = true;
          for (const listener of listeners) listener.resync();
          return;
        }
        behind += 1;
        last = last
          .then(() => tell(message as GatheredChanges))
          .finally(() => {
            behind -= 1;
          });
      });
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) sleep();
      };
    },
    size: () => listeners.size,
    stop() {
      listeners.clear();
      sleep();
    },
  };
}

/**
 * Where the changed devices stand. One that left a place counts as standing there, too, so that those who lose sight of
 * it hear of it.
 */
async function placesNow(
  db: Kysely<Database>,
  places: Map<number, DevicePlace>,
  changes: ReadonlyMap<number, number>,
  left: GatheredChanges['left'],
): Promise<(deviceId: number) => DevicePlace[]> {
  for (const [deviceId] of left) places.delete(deviceId);
  const unknown = [...changes.keys()].filter((id) => !places.has(id));
  if (unknown.length > 0) for (const place of await findPlaces(db, unknown)) places.set(place.deviceId, place);
  const former = Map.groupBy(
    left.map(([deviceId, customerId, siteId]) => ({ deviceId, customerId, siteId })),
    ({ deviceId }) => deviceId,
  );
  return (id) => [...(former.get(id) ?? []), ...(places.has(id) ? [places.get(id)!] : [])];
}

function heardBy(
  listener: Listener,
  changes: ReadonlyMap<number, number>,
  placesOf: (deviceId: number) => DevicePlace[],
): Map<number, number> {
  const heard = new Map<number, number>();
  const scope = listener.scope();
  for (const [id, bits] of changes) {
    const wanted = listener.devices.has(id) ? bits : bits & FLEET_BITS;
    if (wanted !== 0 && placesOf(id).some((place) => inScope(scope, place))) heard.set(id, wanted);
  }
  return heard;
}
