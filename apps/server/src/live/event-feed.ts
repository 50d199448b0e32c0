import type { EventAudiences, EventPlace, EventTopic } from '@chargehand/contract';
import type { Bus } from '../platform/bus/bus.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import type { Events } from '../ports/events.ts';

declare module '../platform/bus/bus.ts' {
  interface BusMessages {
    events: EventBatch;
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

/** How long events are collected before they are published. Milliseconds. */
const COLLECT_MS = 150;

/**
 * Collects events and publishes them as one message, or nothing when there are none. Publishing must be very cheap,
 * because ingest does it for every message.
 */
export function eventFeed(bus: Bus, clock: Clock): Events & { stop(): void } {
  let waiting = new Map<EventTopic, Map<number | string, BusEvent>>();
  let cancel: Cancel | null = null;
  const flush = () => {
    cancel = null;
    const batch = Object.fromEntries([...waiting].map(([topic, events]) => [topic, [...events.values()]]));
    waiting = new Map();
    bus.publish('events', batch);
  };
  const add = (topic: EventTopic, id: number, payload: unknown, audience: AudienceOnBus) => {
    let events = waiting.get(topic);
    if (!events) {
      events = new Map();
      waiting.set(topic, events);
    }
    events.set(audience === null ? id : `${id} ${JSON.stringify(audience)}`, [id, payload, audience]);
    cancel ??= clock.after(COLLECT_MS, flush);
  };
  return {
    publish(topics, event, ...[audience]) {
      const payload = event.payload ?? null;
      if (typeof topics === 'string') add(topics, event.id, payload, audience ?? null);
      else for (const topic of topics) add(topic, event.id, payload, audience ?? null);
    },
    stop() {
      cancel?.();
      cancel = null;
      waiting.clear();
    },
  };
}
