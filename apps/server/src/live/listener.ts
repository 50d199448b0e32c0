import type { EventMap, EventTopic } from '@chargehand/contract';
import type { Caller } from '../platform/http/caller.ts';

/** Events for one listener: by topic, the payload of each id. */
export type HeardEvents = Map<EventTopic, Map<number, unknown>>;

/** Somebody who listens to events. */
export interface Listener {
  /** who they are now; null while that is not certain: then they hear nothing */
  holder(): Caller | null;
  /** the devices of which they hear the watched topics, too */
  devices: ReadonlySet<number>;
  events(events: HeardEvents): void;
  /** events were dropped: everything is to be fetched again */
  resync(): void;
}

/** Reads the payload of a topic that is made `from` others, as this listener may see it. */
export type ListenerReader<T extends EventTopic> = (holder: Caller, id: number) => Promise<EventMap[T]['payload']>;
