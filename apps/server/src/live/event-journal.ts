import { randomBytes } from 'node:crypto';
import type { EventTopic } from '@chargehand/contract';
import type { AudienceOnBus, BusEvent, EventBatch, NumberedBatch } from './event-feed.ts';

/** The number of events that are kept: about a minute of 500 active devices. */
const KEPT = 10_000;
/** A process that sent nothing for so many batches of the others is left out of positions: it may have ended. */
const SILENT_BATCHES = 1_000;
/** The longest position that is read: twenty processes. */
const MAX_POSITION = 600;

/**
 * The latest events, so that a stream can start where its page was loaded. A position is the number of a batch together with
 * the start of this process, and the last number of each process that sends events: so that a stream can continue on another
 * process, which has received the same batches.
 */
export interface EventJournal {
  /** the position after the newest batch */
  position(): string;
  /** Adds a batch. Returns the position after it. */
  add(batch: NumberedBatch): string;
  /** True when all events after a position are known. */
  covers(position: string): boolean;
  /** The events after a position without their changes, each once. */
  since(position: string): EventBatch;
  /** Events were lost: no position up to now is covered. */
  forget(): void;
}

interface Entry {
  /** of the batch in this process, and at its source */
  number: number;
  source: string;
  sourceNumber: number;
  topic: EventTopic;
  id: number;
  audience: AudienceOnBus;
}

interface Source {
  newest: number;
  /** the lowest number from which all later batches are known */
  first: number;
  /** the number in this process of its last batch */
  receivedAt: number;
}

export function eventJournal(kept = KEPT): EventJournal {
  const run = randomBytes(6).toString('hex');
  const sources = new Map<string, Source>();
  let entries: Entry[] = [];
  let newest = 0;
  /** events up to this number may be missing */
  let missing = 0;

  const positionNow = () => {
    const others = [...sources].map(([source, { newest: number }]) => `${source}.${number}`);
    return [`${run}.${newest}`, ...others].join('_');
  };

  /** The number in this process, or those of all sources. */
  function read(position: string): { own: number } | { numbers: ReadonlyMap<string, number> } | null {
    if (position.length > MAX_POSITION) return null;
    const [first, ...others] = position.split('_').map((part) => part.split('.'));
    if (first?.[0] === run && first[1]) return { own: Number(first[1]) };
    return { numbers: new Map(others.map(([source = '', number = '']) => [source, Number(number)])) };
  }

  /** Another process that sends events has received the same batches, except those of which only one of both knows. */
  function coversOthers(numbers: ReadonlyMap<string, number>): boolean {
    if (sources.size === 0) return false;
    for (const [source, { first }] of sources) if (!((numbers.get(source) ?? Number.NaN) >= first)) return false;
    for (const source of numbers.keys()) if (!sources.has(source)) return false;
    return true;
  }

  const note = ({ source, number }: NumberedBatch) => {
    if (number === null) return;
    const known = sources.get(source);
    if (known && number === known.newest + 1) Object.assign(known, { newest: number, receivedAt: newest });
    // The first one, or some are missing in between.
    else sources.set(source, { newest: number, first: number, receivedAt: newest });
    for (const [name, { receivedAt }] of sources) if (receivedAt < newest - SILENT_BATCHES) sources.delete(name);
  };

  return {
    position: positionNow,
    add(message) {
      newest += 1;
      note(message);
      const { source, number: sourceNumber, events: batch } = message;
      for (const [topic, events] of Object.entries(batch) as [EventTopic, BusEvent[]][]) {
        for (const [id, , audience] of events)
          entries.push({
            number: newest,
            source,
            sourceNumber: sourceNumber ?? Number.MAX_SAFE_INTEGER,
            topic,
            id,
            audience,
          });
      }
      // Half of it at once, so that the rest is rarely copied.
      if (entries.length > 2 * kept) {
        missing = entries[entries.length - kept - 1]?.number ?? newest;
        for (const { number, source: name, sourceNumber: last } of entries) {
          const known = number <= missing ? sources.get(name) : undefined;
          if (known) known.first = Math.max(known.first, Math.min(last, known.newest));
        }
        entries = entries.slice(-kept).filter(({ number }) => number > missing);
      }
      return positionNow();
    },
    covers(position) {
      const found = read(position);
      if (found === null) return false;
      return 'own' in found ? found.own >= missing && found.own <= newest : coversOthers(found.numbers);
    },
    since(position) {
      const found = read(position);
      const isLater = (entry: Entry) => {
        if (found === null) return true;
        if ('own' in found) return entry.number > found.own;
        return entry.sourceNumber > (found.numbers.get(entry.source) ?? -1);
      };
      const merged = new Map<string, Entry>();
      for (const entry of entries) {
        if (isLater(entry)) merged.set(`${entry.topic} ${entry.id} ${JSON.stringify(entry.audience)}`, entry);
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
      // A position of another process counts again once it has a batch that this process received afterwards.
      for (const source of sources.values()) source.first = source.newest + 1;
    },
  };
}
