import { type DeviceTopic, EVENTS, type EventAudiences, type EventMap, type EventTopic } from '@chargehand/contract';

/** What an audience must be told with an event; topics with one fixed audience need no further argument. */
type AudienceArguments<T extends EventTopic> = undefined extends EventAudiences[EventMap[T]['audience']]
  ? [audience?: EventAudiences[EventMap[T]['audience']]]
  : [audience: EventAudiences[EventMap[T]['audience']]];

/** Publishes events to the consoles that may hear them. Cheap, collected for a moment, never awaited. Call it after the commit. */
export interface Events {
  /** Publishes an event of one or more topics. It replaces an earlier one of the same topic, id and audience that was not sent yet. */
  publish<T extends EventTopic>(
    topics: T | readonly T[],
    event: { id: number; payload?: EventMap[T]['payload'] },
    ...audience: AudienceArguments<T>
  ): void;
}

/** Where a device stands, which decides who may hear of it. */
export interface DevicePlace {
  deviceId: number;
  customerId: number;
  siteId: number;
}

/** The topics of a device that are sent to everybody who sees it. */
const UNWATCHED = (Object.keys(EVENTS) as EventTopic[]).filter(
  (topic): topic is DeviceTopic => EVENTS[topic].audience === 'device' && !EVENTS[topic].watched && !EVENTS[topic].from,
);

/** Publishes that a device left a place or was removed: who saw it there hears of it once more, and all of it changed. */
export function publishDeviceLeft(events: Events, { deviceId, customerId, siteId }: DevicePlace): void {
  events.publish(UNWATCHED, { id: deviceId }, { customerId, siteId });
  events.publish(UNWATCHED, { id: deviceId });
}
