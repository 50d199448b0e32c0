import type { Stored, UplinkEvent } from './uplink.ts';

/** What one call of `submit` brought, on its way into the database. */
export interface Submission {
  deviceId: number;
  events: UplinkEvent[];
  /** roughly what it holds in memory */
  bytes: number;
  stored: Stored;
  resolve(stored: Stored): void;
  reject(error: unknown): void;
}

type Kind = UplinkEvent['kind'];
type EventOf<K extends Kind> = Extract<UplinkEvent, { kind: K }>;

/** An event with the device it is of and the submission it came in. */
export interface Item<K extends Kind> {
  deviceId: number;
  event: EventOf<K>;
  submission: Submission;
}

/** The events of a batch by kind, each kind in the order in which its events were submitted. */
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
    executionSign: [],
  };
  for (const submission of submissions) {
    for (const event of submission.events) {
      (sorted[event.kind] as Item<Kind>[]).push({ deviceId: submission.deviceId, event, submission });
    }
  }
  return sorted;
}

/**
 * Splits items so that no key occurs twice in one group, keeping the order of each key: an upsert may touch a row only
 * once, and a later report of the same thing must see what the earlier one did.
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
