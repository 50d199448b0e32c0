import {
  ENDPOINTS,
  EVENTS,
  type EventDeclaration,
  type EventMap,
  type EventTopic,
  type Policy,
  type WithDates,
} from '@chargehand/contract';
import { inScope, mayOverseeShares, mayReadDocument, permits, seesWholeCustomer } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Bus, Stop } from '../platform/bus/bus.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Log } from '../platform/log.ts';
import type { DevicePlace } from '../ports/events.ts';
import type { AudienceOnBus, BusEvent, EventBatch } from './event-feed.ts';
import { eventJournal } from './event-journal.ts';
import type { FiguresReader, Listener, ListenerEvents, ListenerReader } from './listener.ts';
import { findPlaces } from './places.store.ts';
import { readEvents } from './read-events.ts';

/** The number of places that are remembered; beyond it the memory is emptied. */
const PLACES_LIMIT = 200_000;

/** Messages that wait while the database is slow. Beyond it they are dropped and listeners fetch again. */
const BEHIND_LIMIT = 20;

/** What decides who receives an event. */
export type Holder = Pick<
  Caller,
  'userId' | 'sessionId' | 'customerId' | 'scope' | 'root' | 'platformVendor' | 'keys' | 'levels'
>;

/** For more devices than this in one message the changes are not included, because fetching again costs less. */
const CARRIED_LIMIT = 500;

/** Reads the payloads of a topic's events, the same for all listeners, by id. */
export type PayloadReader<T extends EventTopic> = (
  ids: readonly number[],
) => Promise<ReadonlyMap<number, WithDates<EventMap[T]['payload']>>>;

export interface EventHub {
  /** Sends events to a listener, after those since a covered position. */
  add(listener: Listener, since?: string): Stop;
  /** the position of a page that is loaded now */
  position(): string;
  /** True when all events since a position are known. */
  covers(position: string): boolean;
  /** Events of the past may have had other receivers: no position up to now is covered. */
  forget(): void;
  /** Includes the changes in the events of topics. */
  carry<T extends EventTopic>(topics: readonly T[], read: PayloadReader<T>): void;
  /** Sends a topic that is made `from` others. */
  derive<T extends EventTopic>(topic: T, read: ListenerReader<T>): void;
  /** Sends figures that are made `from` other topics. */
  deriveFigures<T extends EventTopic>(topic: T, read: FiguresReader<T>): void;
  size(): number;
  stop(): void;
}

/**
 * Receives events and gives each listener those that it may see. Without listeners it only notes which events
 * there were.
 */
export function eventHub(parts: { bus: Bus; db: Kysely<Database>; clock: Clock; log: Log }): EventHub {
  const { bus, db, clock, log } = parts;
  const listeners = new Set<Listener>();
  const places = new Map<number, DevicePlace>();
  const journal = eventJournal();
  let last: Promise<void> = Promise.resolve();
  let behind = 0;
  // The dropped message may have contained a device that left its place.
  let missed = false;
  const carried = new Map<EventTopic, PayloadReader<EventTopic>>();
  const derived = readEvents({ clock, log }, mayReceive);

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

  const deliver = async (batch: EventBatch, position: string, receivers: ReadonlySet<Listener>) => {
    try {
      if (missed || places.size > PLACES_LIMIT) places.clear();
      missed = false;
      await learnPlaces(db, places, batch);
      await fill(batch);
      for (const listener of receivers) {
        const events = eventsFor(listener, batch, places);
        // While the permissions of its user are unknown, events may be hidden from it.
        if (events === null) continue;
        const complete = !derived.after(listener, events, position);
        listener.events(events, complete ? position : undefined);
      }
    } catch (error) {
      log.warn({ err: error }, 'events could not be delivered; every listener fetches everything again');
      lose();
    }
  };
  const lose = () => {
    journal.forget();
    for (const listener of listeners) listener.resync();
  };
  const enqueue = (task: () => Promise<void>) => {
    last = last.then(task);
  };
  const unsubscribeGap = bus.onGap(() => {
    missed = true;
    lose();
  });
  const unsubscribe = bus.subscribe('events', (message) => {
    const { events: batch } = message;
    const position = journal.add(message);
    if (listeners.size === 0) return;
    if (behind >= BEHIND_LIMIT) {
      missed = true;
      lose();
      return;
    }
    behind += 1;
    enqueue(async () => {
      await deliver(batch, position, listeners);
      behind -= 1;
    });
  });
  return {
    add(listener, since) {
      let removed = false;
      if (since === undefined) listeners.add(listener);
      // After the batches that are being delivered, so that its positions never go back.
      else {
        enqueue(async () => {
          if (removed) return;
          listeners.add(listener);
          if (journal.covers(since)) await deliver(journal.since(since), journal.position(), new Set([listener]));
          else listener.resync();
        });
      }
      return () => {
        removed = true;
        derived.forget(listener);
        listeners.delete(listener);
        if (listeners.size === 0) places.clear();
      };
    },
    position: journal.position,
    covers: journal.covers,
    forget: journal.forget,
    carry(topics, read) {
      for (const topic of topics) carried.set(topic, read as unknown as PayloadReader<EventTopic>);
    },
    derive: derived.add,
    deriveFigures: derived.addFigures,
    size: () => listeners.size,
    stop() {
      derived.stop();
      listeners.clear();
      unsubscribe();
      unsubscribeGap();
      places.clear();
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

/** The part of a batch that a listener may receive; null while its user is uncertain. */
function eventsFor(
  listener: Listener,
  batch: EventBatch,
  places: ReadonlyMap<number, DevicePlace>,
): ListenerEvents | null {
  const visible: ListenerEvents = new Map();
  const holder = listener.holder();
  if (!holder) return null;
  for (const [topic, events] of entriesOf(batch)) {
    const declaration: EventDeclaration = EVENTS[topic];
    const isPermitted = mayReceive(holder, topic);
    const gathering = (listener.gathered ?? []).find(
      (one) => (EVENTS[one] as EventDeclaration).gathers === topic && mayReceive(holder, one),
    );
    if (!isPermitted && !gathering) continue;
    for (const [id, payload, audience] of events) {
      const isWatched = !declaration.watched || listener.devices.has(id);
      if (!isWatched && (!gathering || visible.has(gathering))) continue;
      if (
        !isAudience(
          holder,
          declaration,
          audience ?? (declaration.audience === 'device' ? (places.get(id) ?? null) : null),
        )
      )
        continue;
      if (gathering) visible.set(gathering, new Map([[0, null]]));
      if (!isPermitted || !isWatched) continue;
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
  if ('documents' in who) {
    return who.documents === 'any' || who.documents.some((document) => mayReadDocument(holder, document));
  }
  if ('ownerId' in who) {
    const { customers } = holder.scope;
    const inCustomers = customers === 'all' || (who.customerId !== null && customers.includes(who.customerId));
    return who.ownerId === holder.userId || (inCustomers && mayOverseeShares(holder));
  }
  const { customerId, siteId } = who;
  return siteId === null ? seesWholeCustomer(holder.scope, customerId) : inScope(holder.scope, { customerId, siteId });
}

/** True when a holder may call one of the readers of a topic, or it has none. Rows are decided by its audience. */
export function mayReceive(holder: Holder, topic: EventTopic): boolean {
  const names = EVENTS[topic].readers as readonly (keyof typeof ENDPOINTS)[] | undefined;
  return (
    names === undefined ||
    names.some((name) => {
      const policy: Policy = ENDPOINTS[name].policy;
      if (policy.route === 'public') return true;
      const { route, who } = policy;
      const admitted = who === 'root' ? holder.root : who !== 'vendor' || holder.root || holder.platformVendor;
      return admitted && (typeof route === 'string' || permits(holder, route.keys));
    })
  );
}
