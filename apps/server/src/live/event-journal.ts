import { randomBytes } from 'node:crypto';
import type { EventTopic } from '@chargehand/contract';
import type { AudienceOnBus, BusEvent, EventBatch } from './event-feed.ts';

/** The number of events that are kept: about a minute of 500 active devices. */
const KEPT = 10_000;

/**
 * The latest events, so that a stream can start where its page was loaded. A position is the number of a batch together with
 * the start of this process, so that positions of another process are unknown.
 */
export interface EventJournal {
  /** the position after the newest batch */
  position(): string;
  /** Adds a batch. Returns the position after it. */
  add(batch: EventBatch): string;
  /** True when all events after a position are known. */
  covers(position: string): boolean;
  /** The events after a position without their changes, each once. */
  since(position: string): EventBatch;
  /** Events were lost: no position up to now is covered. */
  forget(): void;
}

interface Entry {
  number: number;
  topic: EventTopic;
  id: number;
  audience: AudienceOnBus;
}

export function eventJournal(kept = KEPT): EventJournal {
  const run = randomBytes(6).toString('hex');
  let entries: Entry[] = [];
  let newest = 0;
  /** events up to this number may be missing */
  let missing = 0;
  const positionAt = (number: number) => `${run}.${number}`;
  const numberOf = (position: string) => {
    const [ofRun, number] = position.split('.');
    return ofRun === run && number ? Number(number) : Number.NaN;
  };
  return {
    position: () => positionAt(newest),
    add(batch) {
      newest += 1;
      for (const [topic, events] of Object.entries(batch) as [EventTopic, BusEvent[]][]) {
        for (const [id, , audience] of events) entries.push({ number: newest, topic, id, audience });
      }
      // Half of it at once, so that the rest is rarely copied.
      if (entries.length > 2 * kept) {
        missing = entries[entries.length - kept - 1]?.number ?? newest;
        entries = entries.slice(-kept).filter(({ number }) => number > missing);
      }
      return positionAt(newest);
    },
    covers(position) {
      const number = numberOf(position);
      return number >= missing && number <= newest;
    },
    since(position) {
      const number = numberOf(position);
      const merged = new Map<string, Entry>();
      for (const entry of entries) {
        if (entry.number > number) merged.set(`${entry.topic} ${entry.id} ${JSON.stringify(entry.audience)}`, entry);
      }
      const batch: EventBatch = {};
      for (const { topic, id, audience } of merged.values()) {
        batch[topic] ??= [];
        batch[topic].push([id, null, audience]);
      }
      return batch;
    },
    forget() {
      newest += 1;
      missing = newest;
      entries = [];
    },
  };
}
