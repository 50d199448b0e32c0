import { ENDPOINTS, EVENTS, type EventDeclaration, type EventMap, type EventTopic } from '@chargehand/contract';
import { inScope, mayOverseeShares, permits, seesWholeCustomer } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Bus, Stop } from '../platform/bus/bus.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Log } from '../platform/log.ts';
import type { DevicePlace } from '../ports/events.ts';
import type { AudienceOnBus, BusEvent, EventBatch } from './event-feed.ts';
import type { Listener, ListenerEvents, ListenerReader } from './listener.ts';
import { findPlaces } from './places.store.ts';
import { readEvents } from './read-events.ts';

/** The number of places that are remembered; beyond it the memory is emptied. */
const PLACES_LIMIT = 200_000;

/** Messages that wait while the database is slow. Beyond it they are dropped and listeners fetch again. */
const BEHIND_LIMIT = 20;

/** What decides who receives an event. */
export type Holder = Pick<Caller, 'userId' | 'sessionId' | 'scope' | 'root' | 'keys' | 'levels'>;

/** For more devices than this in one message the changes are not included, because fetching again costs less. */
const CARRIED_LIMIT = 500;

/** Reads the payloads of a topic's events, the same for all listeners, by id. */
export type PayloadReader<T extends EventTopic> = (
  ids: readonly number[],
) => Promise<ReadonlyMap<number, EventMap[T]['payload']>>;

export interface EventHub {
  add(listener: Listener): Stop;
  /** Includes the changes in the events of topics. */
  carry<T extends EventTopic>(topics: readonly T[], read: PayloadReader<T>): void;
  /** Sends a topic that is made `from` others. */
  derive<T extends EventTopic>(topic: T, read: ListenerReader<T>): void;
  size(): number;
  stop(): void;
}

/** Receives events of all nodes and gives each listener those that it may see. Without listeners it does nothing. */
export function eventHub(parts: { bus: Bus; db: Kysely<Database>; clock: Clock; log: Log }): EventHub {
  const { bus, db, clock, log } = parts;
  const listeners = new Set<Listener>();
  const places = new Map<number, DevicePlace>();
  let unsubscribe: Stop | null = null;
  let last: Promise<void> = Promise.resolve();
  let behind = 0;
  // The dropped message may have contained a device that left its place.
  let missed = false;
  const carried = new Map<EventTopic, PayloadReader<EventTopic>>();
  const derived = readEvents({ clock, log }, (holder, topic) => permits(holder, keysOf(topic)));

  /** Adds the topics that are sent with others, and adds the changes to the events that carry them. */
  const fill = async (batch: EventBatch) => {
    for (const topic of carried.keys()) {
      const { sentWith } = EVENTS[topic] as EventDeclaration;
      const events = sentWith && batch[sentWith];
      if (events) batch[topic] = events.map(([id, , audience]) => [id, null, audience]);
    }
    const readers = Map.groupBy(
      entriesOf(batch).filter(([topic]) => carried.has(topic)),
      ([topic]) => carried.get(topic)!,
    );
    for (const [read, topics] of readers) {
      const ids = [...new Set(topics.flatMap(([, events]) => events.map(([id]) => id)))];
      if (ids.length > CARRIED_LIMIT) continue;
      const payloads = await read(ids);
      for (const [, events] of topics) {
        // Who sees only the place that a device has left is not told how it is now.
        for (const event of events) if (event[2] === null) event[1] = payloads.get(event[0]) ?? null;
      }
    }
  };

  const deliver = async (batch: EventBatch) => {
    try {
      if (missed || places.size > PLACES_LIMIT) places.clear();
      missed = false;
      await learnPlaces(db, places, batch);
      await fill(batch);
      for (const listener of listeners) {
        const events = eventsFor(listener, batch, places);
        if (events.size === 0) continue;
        listener.events(events);
        derived.after(listener, events);
      }
    } catch (error) {
      log.warn({ err: error }, 'events could not be delivered; every listener fetches everything again');
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
        derived.forget(listener);
        listeners.delete(listener);
        if (listeners.size === 0) sleep();
      };
    },
    carry(topics, read) {
      for (const topic of topics) carried.set(topic, read as PayloadReader<EventTopic>);
    },
    derive: derived.add,
    size: () => listeners.size,
    stop() {
      derived.stop();
      listeners.clear();
      sleep();
    },
  };
}

const entriesOf = (batch: EventBatch) => Object.entries(batch) as [EventTopic, BusEvent[]][];

/** Reads the places of the devices of a batch. A device that left a place is looked up again. */
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

/** The part of a batch that a listener may receive. */
function eventsFor(listener: Listener, batch: EventBatch, places: ReadonlyMap<number, DevicePlace>): ListenerEvents {
  const visible: ListenerEvents = new Map();
  const holder = listener.holder();
  if (!holder) return visible;
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
      const ids = visible.get(topic) ?? new Map<number, unknown>();
      visible.set(topic, ids.set(id, payload));
    }
  }
  return visible;
}

/** True when a listener belongs to an audience. */
export function isAudience(holder: Holder, { audience }: EventDeclaration, who: AudienceOnBus): boolean {
  if (audience === 'everyone') return true;
  if (who === null) return false;
  if ('userId' in who) return who.userId === holder.userId;
  if ('sessionId' in who) return who.sessionId === holder.sessionId;
  if ('ownerId' in who) {
    const { customers } = holder.scope;
    const inCustomers = customers === 'all' || (who.customerId !== null && customers.includes(who.customerId));
    return who.ownerId === holder.userId || (inCustomers && mayOverseeShares(holder.levels));
  }
  const { customerId, siteId } = who;
  return siteId === null ? seesWholeCustomer(holder.scope, customerId) : inScope(holder.scope, { customerId, siteId });
}

const KEYS = new Map<EventTopic, readonly string[]>();

/** The keys of which a listener must have one to receive a topic; none: everyone receives it. */
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
