import type { Stored, UplinkEvent } from './uplink.ts';

/** The contents of one call of `submit`, on the way into the database. */
export interface Submission {
  deviceId: number;
  events: UplinkEvent[];
  /** its approximate size in memory */
  bytes: number;
  stored: Stored;
  resolve(stored: Stored): void;
  reject(error: unknown): void;
}

type Kind = UplinkEvent['kind'];
type EventOf<K extends Kind> = Extract<UplinkEvent, { kind: K }>;

/** An event with its device and the submission that contains it. */
export interface Item<K extends Kind> {
  deviceId: number;
  event: EventOf<K>;
  submission: Submission;
}

/** The events of a batch by kind, each kind in the order of submission. */
export type Sorted = { [K in Kind]: Item<K>[] };

/** Sorts the events of submissions by kind. */
export function sortEvents(submissions: readonly Submission[]): Sorted {
  const sorted: Sorted = {
    frame: [],
    reading: [],
    connected: [],
    disconnected: [],
    booted: [],
    clock: [],
    messageFault: [],
    connectorStatus: [],
    alarm: [],
    transactionEvent: [],
    transactionStarted: [],
    transactionStopped: [],
    texts: [],
    firmwareStatus: [],
    diagnosticsStatus: [],
    parameters: [],
    answer: [],
    messageReceived: [],
    executionProgress: [],
  };
  for (const submission of submissions) {
    for (const event of submission.events) {
      (sorted[event.kind] as Item<Kind>[]).push({ deviceId: submission.deviceId, event, submission });
    }
  }
  return sorted;
}

/**
 * Splits items so that no key occurs twice in one group, and keeps the order of each key: an upsert may change a row
 * only once, and a later report about the same row must see the effect of the earlier one.
 */
export function rounds<T>(items: readonly T[], keyOf: (item: T) => string | number): T[][] {
  const groups: T[][] = [];
  const seen = new Map<string | number, number>();
  for (const item of items) {
    const key = keyOf(item);
    const round = seen.get(key) ?? 0;
    seen.set(key, round + 1);
    const group = groups[round];
    if (group) group.push(item);
    else groups.push([item]);
  }
  return groups;
}

/** The last item of each key, in the order of the keys' first occurrence. */
export function lastOfEach<T>(items: readonly T[], keyOf: (item: T) => string | number): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
