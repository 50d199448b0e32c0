import { randomBytes } from 'node:crypto';
import type { EventAudiences, EventPlace, EventTopic } from '@chargehand/contract';
import type { Bus } from '../platform/bus/bus.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import type { Events, EventsHere } from '../ports/events.ts';

declare module '../platform/bus/bus.ts' {
  interface BusMessages {
    events: NumberedBatch;
  }
}

/** An audience on the bus; null: decided by the topic alone. */
export type AudienceOnBus =
  | EventPlace
  | EventAudiences['share']
  | EventAudiences['document']
  | { userId: number }
  | { sessionId: string }
  | null;
export type BusEvent = [id: number, payload: unknown, audience: AudienceOnBus];

/** Events collected during an interval. There is one for each id and audience of a topic. */
export type EventBatch = { [T in EventTopic]?: BusEvent[] };

/** A batch with its place among those of its process. */
export interface NumberedBatch {
  source: string;
  /** null: sent within this process only */
  number: number | null;
  events: EventBatch;
}

/** How long events are collected before they are published. Milliseconds. */
const COLLECT_MS = 150;

/**
 * Collects events and publishes them as one message, or nothing when there are none. Publishing must be very cheap,
 * because ingest does it for every message.
 */
export function eventFeed(bus: Bus, clock: Clock): Events & EventsHere & { stop(): void } {
  const source = randomBytes(6).toString('hex');
  let number = 0;
  const everywhere = collector(clock, (events) => {
    number += 1;
    bus.publish('events', { source, number, events });
  });
  const here = collector(clock, (events) => bus.publishHere('events', { source, number: null, events }));
  return {
    publish(topics, event, ...[audience]) {
      const payload = event.payload ?? null;
      if (typeof topics === 'string') everywhere.add(topics, event.id, payload, audience ?? null);
      else for (const topic of topics) everywhere.add(topic, event.id, payload, audience ?? null);
    },
    publishHere: (topic, event, ...[audience]) =>
      here.add(topic, event.id, event.payload ?? null, (audience as AudienceOnBus | undefined) ?? null),
    stop() {
      everywhere.stop();
      here.stop();
    },
  };
}

/** Collects events for a short time. */
function collector(clock: Clock, send: (batch: EventBatch) => void) {
  let waiting = new Map<EventTopic, Map<number | string, BusEvent>>();
  let cancel: Cancel | null = null;
  const flush = () => {
    cancel = null;
    const batch = Object.fromEntries([...waiting].map(([topic, events]) => [topic, [...events.values()]]));
    waiting = new Map();
    send(batch);
  };
  return {
    add(topic: EventTopic, id: number, payload: unknown, audience: AudienceOnBus): void {
      let events = waiting.get(topic);
      if (!events) {
        events = new Map();
        waiting.set(topic, events);
      }
      events.set(audience === null ? id : `${id} ${JSON.stringify(audience)}`, [id, payload, audience]);
      cancel ??= clock.after(COLLECT_MS, flush);
    },
    stop(): void {
      cancel?.();
      cancel = null;
      waiting.clear();
    },
  };
}
