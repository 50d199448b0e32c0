import { FLEET_TOPICS } from '@chargehand/contract';
import { inScope, type Scope } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Bus, Stop } from '../platform/bus/bus.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import { bitsOf, CHANGES_SUBJECT } from './change-feed.ts';
import { type DevicePlace, findPlaces } from './places.store.ts';

/** Places remembered; beyond it the memory starts afresh. */
const PLACES_LIMIT = 200_000;

/** Messages that wait while the database is slow; beyond it they are dropped and listeners fetch again. */
const BEHIND_LIMIT = 20;

const FLEET_BITS = bitsOf(FLEET_TOPICS);
const DETAILS_BIT = bitsOf(['details']);

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

  const tell = async (changes: ReadonlyMap<number, number>) => {
    try {
      const placesOf = await placesNow(db, places, changes);
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
        const changes = new Map(message as [number, number][]);
        if (behind >= BEHIND_LIMIT) {
          for (const listener of listeners) listener.resync();
          return;
        }
        behind += 1;
        last = last
          .then(() => tell(changes))
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
 * Where the changed devices stand. A device whose details changed may have moved: it counts as standing where it stood
 * and where it stands, so that those who lose sight of it hear of it, too.
 */
async function placesNow(
  db: Kysely<Database>,
  places: Map<number, DevicePlace>,
  changes: ReadonlyMap<number, number>,
): Promise<(deviceId: number) => DevicePlace[]> {
  if (places.size > PLACES_LIMIT) places.clear();
  const former = new Map<number, DevicePlace>();
  for (const [id, bits] of changes) {
    const place = places.get(id);
    if ((bits & DETAILS_BIT) === 0 || !place) continue;
    former.set(id, place);
    places.delete(id);
  }
  const unknown = [...changes.keys()].filter((id) => !places.has(id));
  if (unknown.length > 0) for (const place of await findPlaces(db, unknown)) places.set(place.deviceId, place);
  return (id) => [former.get(id), places.get(id)].filter((place) => place !== undefined);
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
