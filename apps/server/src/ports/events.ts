import { type DeviceTopic, EVENTS, type EventAudiences, type EventMap, type EventTopic } from '@chargehand/contract';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** The arguments that the audience of an event needs. Topics with one fixed audience need none. */
type AudienceArguments<T extends EventTopic> = undefined extends EventAudiences[EventMap[T]['audience']]
  ? [audience?: EventAudiences[EventMap[T]['audience']]]
  : [audience: EventAudiences[EventMap[T]['audience']]];

/**
 * Publishes events to the consoles that may receive them. Cheap, collected for a short time, never awaited. Call it
 * after the commit, or publish with `inTransaction`.
 */
export interface Events {
  /** Publishes an event of one or more topics. It replaces an earlier one of the same topic, id and audience that was not sent yet. */
  publish<T extends EventTopic>(
    topics: T | readonly T[],
    event: { id: number; payload?: EventMap[T]['payload'] },
    ...audience: AudienceArguments<T>
  ): void;
}

/** Publishes to the consoles of this process only: each process finds the same changes out by itself. */
export interface EventsHere {
  publishHere<T extends EventTopic>(
    topic: T,
    event: { id: number; payload?: EventMap[T]['payload'] },
    ...audience: AudienceArguments<T>
  ): void;
}

/** The place of a device, which decides who receives its events. */
export interface DevicePlace {
  deviceId: number;
  customerId: number;
  siteId: number;
}

/** The topics of a device that are sent to everyone who sees it. */
const UNWATCHED = (Object.keys(EVENTS) as EventTopic[]).filter(
  (topic): topic is DeviceTopic => EVENTS[topic].audience === 'device' && !EVENTS[topic].watched && !EVENTS[topic].from,
);

/**
 * Publishes that a device left a place or was removed: users who saw it there receive a last event, in which everything
 * changed.
 */
export function publishDeviceLeft(events: Events, { deviceId, customerId, siteId }: DevicePlace): void {
  events.publish(UNWATCHED, { id: deviceId }, { customerId, siteId });
  events.publish(UNWATCHED, { id: deviceId });
}

/**
 * Runs a transaction. Consoles receive the events that `run` publishes after the commit, and none of them if the
 * transaction fails.
 */
export async function inTransaction<T>(
  { db, events }: { db: Kysely<Database>; events: Events },
  run: (trx: Transaction<Database>, committed: Events) => Promise<T>,
): Promise<T> {
  const waiting: (() => void)[] = [];
  const committed: Events = { publish: (...event) => void waiting.push(() => events.publish(...event)) };
  const result = await db.transaction().execute((trx) => run(trx, committed));
  for (const publish of waiting) publish();
  return result;
}
