import type { EventMap, EventTopic, WithDates } from '@chargehand/contract';
import type { Caller } from '../platform/http/caller.ts';

/** Events for one listener: the payload of each id, by topic. */
export type ListenerEvents = Map<EventTopic, Map<number, unknown>>;

/** A listener to events. */
export interface Listener {
  /** the user now; null while that is uncertain: then the listener receives nothing */
  holder(): Caller | null;
  /** the devices whose watched topics the listener also receives */
  devices: ReadonlySet<number>;
  /** the gathered topics that the listener asked for */
  gathered?: readonly EventTopic[] | undefined;
  /** With `position`, every event up to there was sent, and a stream may continue from there. */
  events(events: ListenerEvents, position?: string): void;
  /** events were dropped, so everything must be fetched again */
  resync(): void;
}

/** Reads the payload of a topic that is made `from` others, as this listener may see it. */
export type ListenerReader<T extends EventTopic> = (
  holder: Caller,
  id: number,
) => Promise<WithDates<EventMap[T]['payload']>>;

/** Reads figures that depend on nothing but what a listener sees, so they are the same for every user with its scope. */
export type FiguresReader<T extends EventTopic> = (
  seen: Pick<Caller, 'scope'>,
) => Promise<WithDates<EventMap[T]['payload']>>;
