import { EVENT_TOPICS, EVENTS, type EventTopic } from '@chargehand/contract';
import type { Cancel, Clock } from '../platform/clock.ts';
import { scopeValues } from '../platform/database/scope.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Log } from '../platform/log.ts';
import type { FiguresReader, Listener, ListenerEvents, ListenerReader } from './listener.ts';

/** Figures are read at most once in this interval. Milliseconds. */
const LEAST_REST_MS = 900;
/** The pause after reading, as a multiple of the time that reading took: reading takes at most a tenth of the time. */
const REST_PER_WORK = 9;

/** The topics that are made from each topic. */
const MADE_FROM = new Map<EventTopic, EventTopic[]>();
for (const topic of EVENT_TOPICS) {
  for (const source of EVENTS[topic].from ?? []) MADE_FROM.set(source, [...(MADE_FROM.get(source) ?? []), topic]);
}

export interface ReadEvents {
  add<T extends EventTopic>(topic: T, read: ListenerReader<T>): void;
  addFigures<T extends EventTopic>(topic: T, read: FiguresReader<T>): void;
  /**
   * A listener receives events: the topics made from them are sent to it soon. True when some are not sent yet; the last of
   * them is then sent with the position.
   */
  after(listener: Listener, sent: ListenerEvents, position: string): boolean;
  forget(listener: Listener): void;
  stop(): void;
}

interface Due {
  topics: Map<EventTopic, Set<number>>;
  /** the position of the newest events from which they are made */
  position: string;
}

/** Sends topics that are read for each listener. Those of one user are read once, figures once for each scope. */
export function readEvents(
  parts: { clock: Clock; log: Log },
  mayReceive: (holder: Caller, topic: EventTopic) => boolean,
): ReadEvents {
  const { clock, log } = parts;
  const readers = new Map<EventTopic, ListenerReader<EventTopic>>();
  const figures = new Set<EventTopic>();
  let due = new Map<Listener, Due>();
  let reading: ReadonlyMap<Listener, Due> = new Map();
  let cancel: Cancel | null = null;
  /** reading, or pausing after it */
  let busy = false;
  let stopped = false;

  const schedule = () => {
    if (busy || stopped || due.size === 0) return;
    cancel ??= clock.after(0, run);
  };
  const run = async () => {
    busy = true;
    const start = performance.now();
    reading = due;
    due = new Map();
    const answers = new Map<string, unknown>();
    for (const [listener, one] of reading) await send(listener, one, answers);
    reading = new Map();
    if (stopped) return;
    cancel = clock.after(Math.max(LEAST_REST_MS, REST_PER_WORK * (performance.now() - start)), () => {
      cancel = null;
      busy = false;
      schedule();
    });
  };
  const send = async (listener: Listener, { topics, position }: Due, answers: Map<string, unknown>) => {
    const holder = listener.holder();
    if (!holder) return;
    const events: ListenerEvents = new Map();
    for (const [topic, ids] of topics) {
      if (!mayReceive(holder, topic)) continue;
      const payloads = new Map<number, unknown>();
      for (const id of ids) {
        const sharedBy = figures.has(topic) ? scopeValues(holder.scope).join(' ') : `user ${holder.userId}`;
        const key = `${topic} ${id} ${sharedBy}`;
        if (!answers.has(key)) answers.set(key, await read(topic, holder, id));
        payloads.set(id, answers.get(key));
      }
      events.set(topic, payloads);
    }
    // A listener whose user or permissions have changed fetches everything again anyway.
    if (listener.holder() === holder) listener.events(events, position);
  };
  const read = async (topic: EventTopic, holder: Caller, id: number) => {
    try {
      return (await readers.get(topic)?.(holder, id)) ?? null;
    } catch (error) {
      log.debug({ err: error, topic, id }, 'the payload of an event could not be read; its readers fetch it');
      return null;
    }
  };

  const dueOf = (listener: Listener, position: string) => {
    const one = due.get(listener) ?? { topics: new Map(), position };
    one.position = position;
    due.set(listener, one);
    return one;
  };

  return {
    add(topic, reader) {
      readers.set(topic, reader as unknown as ListenerReader<EventTopic>);
    },
    addFigures(topic, reader) {
      readers.set(topic, reader as unknown as ListenerReader<EventTopic>);
      figures.add(topic);
    },
    after(listener, sent, position) {
      for (const [source, payloads] of sent) {
        for (const topic of MADE_FROM.get(source) ?? []) {
          if (!readers.has(topic)) continue;
          const { audience } = EVENTS[topic];
          const ids = audience === 'device' ? [...payloads.keys()].filter((id) => listener.devices.has(id)) : [0];
          if (ids.length === 0) continue;
          const { topics } = dueOf(listener, position);
          topics.set(topic, new Set([...(topics.get(topic) ?? []), ...ids]));
        }
      }
      // These are not complete before the earlier ones.
      if (reading.has(listener) || due.has(listener)) dueOf(listener, position);
      schedule();
      return due.has(listener);
    },
    forget: (listener) => due.delete(listener),
    stop() {
      stopped = true;
      cancel?.();
      due.clear();
    },
  };
}
