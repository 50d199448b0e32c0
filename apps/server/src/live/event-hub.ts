import { ENDPOINTS, EVENTS, type EventDeclaration, type EventTopic } from '@chargehand/contract';
import { inScope, permits, seesWholeCustomer } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Bus, Stop } from '../platform/bus/bus.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { Caller } from '../ports/caller.ts';
import type { DevicePlace } from '../ports/events.ts';
import type { AudienceOnBus, BusEvent, EventBatch } from './event-feed.ts';
import { findPlaces } from './places.store.ts';

/** Places remembered; beyond it the memory starts afresh. */
const PLACES_LIMIT = 200_000;

/** Messages that wait while the database is slow; beyond it they are dropped and listeners fetch again. */
const BEHIND_LIMIT = 20;

/** Events for one listener: by topic, the payload of each id. */
export type HeardEvents = Map<EventTopic, Map<number, unknown>>;

/** What the hub must know of a listener's account to decide what it hears. */
export type Holder = Pick<Caller, 'userId' | 'sessionId' | 'scope' | 'root' | 'keys'>;

/** Somebody who listens to events. */
export interface Listener {
  /** who they are now; null while that is not certain: then they hear nothing */
  holder(): Holder | null;
  /** the devices of which they hear the watched topics, too */
  devices: ReadonlySet<number>;
  events(events: HeardEvents): void;
  /** events were dropped: everything is to be fetched again */
  resync(): void;
}

export interface EventHub {
  add(listener: Listener): Stop;
  size(): number;
  stop(): void;
}

/** Hears events of all nodes and gives each listener those that it may hear. Without listeners it does nothing. */
export function eventHub(parts: { bus: Bus; db: Kysely<Database>; log: Log }): EventHub {
  const { bus, db, log } = parts;
  const listeners = new Set<Listener>();
  const places = new Map<number, DevicePlace>();
  let unsubscribe: Stop | null = null;
  let last: Promise<void> = Promise.resolve();
  let behind = 0;
  // A message that was dropped may have carried that a device left its place.
  let missed = false;

  const deliver = async (batch: EventBatch) => {
    try {
      if (missed || places.size > PLACES_LIMIT) places.clear();
      missed = false;
      await learnPlaces(db, places, batch);
      for (const listener of listeners) {
        const heard = heardBy(listener, batch, places);
        if (heard.size > 0) listener.events(heard);
      }
    } catch (error) {
      log.warn({ err: error }, 'events could not be delivered; every listener is asked to fetch again');
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
      unsubscribe ??= bus.subscribe('events', (batch) => {
        if (behind >= BEHIND_LIMIT) {
          missed = true;
          for (const listener of listeners) listener.resync();
          return;
        }
        behind += 1;
        last = last
          .then(() => deliver(batch))
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

const entriesOf = (batch: EventBatch) => Object.entries(batch) as [EventTopic, BusEvent[]][];

/** Reads where the devices of a batch stand. One that left a place is looked for anew. */
async function learnPlaces(db: Kysely<Database>, places: Map<number, DevicePlace>, batch: EventBatch): Promise<void> {
  const unknown = new Set<number>();
  for (const [topic, events] of entriesOf(batch)) {
    if (EVENTS[topic].audience !== 'device') continue;
    for (const [id, , left] of events) {
      if (left) places.delete(id);
      if (!places.has(id)) unknown.add(id);
    }
  }
  if (unknown.size > 0) for (const place of await findPlaces(db, [...unknown])) places.set(place.deviceId, place);
}

/** What of a batch a listener may hear. */
function heardBy(listener: Listener, batch: EventBatch, places: ReadonlyMap<number, DevicePlace>): HeardEvents {
  const heard: HeardEvents = new Map();
  const holder = listener.holder();
  if (!holder) return heard;
  for (const [topic, events] of entriesOf(batch)) {
    const declaration: EventDeclaration = EVENTS[topic];
    if (!permits(holder, keysOf(topic))) continue;
    for (const [id, payload, audience] of events) {
      if (declaration.watched && !listener.devices.has(id)) continue;
      if (
        !isAudience(
          holder,
          declaration,
          audience ?? (declaration.audience === 'device' ? (places.get(id) ?? null) : null),
        )
      )
        continue;
      const ids = heard.get(topic) ?? new Map<number, unknown>();
      heard.set(topic, ids.set(id, payload));
    }
  }
  return heard;
}

/** True when somebody belongs to an audience. */
export function isAudience(holder: Holder, { audience }: EventDeclaration, who: AudienceOnBus): boolean {
  if (audience === 'everyone') return true;
  if (who === null) return false;
  if ('userId' in who) return who.userId === holder.userId;
  if ('sessionId' in who) return who.sessionId === holder.sessionId;
  const { customerId, siteId } = who;
  return siteId === null ? seesWholeCustomer(holder.scope, customerId) : inScope(holder.scope, { customerId, siteId });
}

const KEYS = new Map<EventTopic, readonly string[]>();

/** The keys of which a listener must hold one to hear a topic; none: everybody hears it. */
function keysOf(topic: EventTopic): readonly string[] {
  const known = KEYS.get(topic);
  if (known) return known;
  const names = (EVENTS[topic].readers ?? []) as (keyof typeof ENDPOINTS)[];
  const keys = names.flatMap((name) => {
    const { route } = ENDPOINTS[name].policy;
    return typeof route === 'string' ? [] : route.keys;
  });
  KEYS.set(topic, [...new Set(keys)]);
  return KEYS.get(topic)!;
}
