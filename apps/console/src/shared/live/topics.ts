import type { EventMap, EventsMessage, EventTopic } from '@chargehand/contract';
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Answer, EndpointName, InputOf } from '../api/client.ts';

/** How a query of an endpoint follows a topic. */
export interface Follows<T extends EventTopic, K extends EndpointName> {
  /** The id of the topic that a query concerns; undefined: several. Default: the device that the query names. */
  id?(input: InputOf<K>): number | undefined;
  /**
   * Merges the data of events into a response without modifying it. Null: the response must be refetched. Never called
   * with an event without data.
   */
  patch?(
    answer: Answer<K>,
    changes: ReadonlyMap<number, NonNullable<EventMap[T]['payload']>>,
    input: InputOf<K>,
  ): Answer<K> | null;
  /** When the response is refetched. Default: `soon` if it could not be patched, otherwise not at all. */
  again?(input: InputOf<K>, patched: boolean): Urgency | undefined;
}

/**
 * The minimum time between two refetches of a query, in milliseconds. `soon`: only as the network and the budget allow;
 * `regularly`: for a number that many events change; `later`: for data that is not urgent; `rarely`: for sums over days
 * and maps of the whole fleet.
 */
export const APART_MS = { soon: 0, regularly: 10_000, later: 20_000, rarely: 60_000 };
export type Urgency = keyof typeof APART_MS;

/** The more urgent of two. */
export function moreUrgent(one: Urgency | undefined, other: Urgency): Urgency {
  return one !== undefined && APART_MS[one] < APART_MS[other] ? one : other;
}

type Rule = {
  id?(input: unknown): number | undefined;
  patch?(answer: unknown, changes: ReadonlyMap<number, unknown>, input: unknown): unknown;
  again?(input: unknown, patched: boolean): Urgency | undefined;
};

const rules = new Map<EventTopic, Map<string, Rule>>();

/**
 * Registers the queries that show a topic. They are patched or refetched when an event of the topic arrives. Each
 * feature registers its own queries in its `live.ts`.
 */
export function follow<T extends EventTopic, K extends EndpointName>(
  topics: T | readonly T[],
  names: K | readonly K[],
  how: Follows<T, K> = {},
): void {
  for (const topic of [topics].flat() as T[]) {
    const ofTopic = rules.get(topic) ?? new Map<string, Rule>();
    rules.set(topic, ofTopic);
    for (const name of [names].flat() as K[]) ofTopic.set(name, how as Rule);
  }
}

/** For `follow`: queries whose path or filter does not contain the id of the topic. */
export const ANY = { id: () => undefined };

/** True when a query has no filter: it shows everything in scope. */
export function unfiltered(input: { query?: object }): boolean {
  return Object.values(input.query ?? {}).every((value) => value === undefined);
}

/** The endpoints that follow a topic. */
export function followers(topic: EventTopic): string[] {
  return [...(rules.get(topic)?.keys() ?? [])];
}

/** True when a query (`[endpoint, input]`) follows any topic. */
export function follows(queryKey: QueryKey): boolean {
  for (const ofTopic of rules.values()) if (ofTopic.has(String(queryKey[0]))) return true;
  return false;
}

/** Marks what is cached of devices as stale: it is fetched again when it is displayed again. */
export function markStale(client: QueryClient, deviceIds: readonly number[]): void {
  const wanted = new Set<number | undefined>(deviceIds);
  void client.invalidateQueries({
    predicate: ({ queryKey: [name, input] }) => follows([name]) && wanted.has(deviceOf(input)),
    refetchType: 'none',
  });
}

/**
 * Patches the cached queries (`[endpoint, input]`) that show what events change. Returns the hashed keys of those that
 * must be refetched, and when.
 */
export function applyEvents(client: QueryClient, message: EventsMessage): Map<string, Urgency> {
  const stale = new Map<string, Urgency>();
  const topics = Object.entries(message) as [EventTopic, [number, unknown][]][];
  for (const query of client.getQueryCache().getAll()) {
    if (query.meta?.edited === true) continue;
    const [name, input] = query.queryKey as [string, unknown];
    for (const [topic, events] of topics) {
      const rule = rules.get(topic)?.get(name);
      if (!rule) continue;
      const id = rule.id ? rule.id(input) : deviceOf(input);
      const changes = new Map(events.filter(([one]) => id === undefined || one === id));
      if (changes.size === 0) continue;
      if (query.state.fetchStatus === 'fetching' && rule.patch && carried(changes)) {
        changesDuringFetch.set(query, [
          ...(changesDuringFetch.get(query) ?? []),
          (answer) => patch(rule, answer, changes, input),
        ]);
        if (query.state.data === undefined) continue;
      }
      const answer = patch(rule, query.state.data, changes, input);
      const patched = answer !== null;
      if (patched) client.setQueryData(query.queryKey, answer);
      const usual = patched ? undefined : 'soon';
      const again = rule.again ? rule.again(input, patched) : usual;
      if (again) stale.set(query.queryHash, moreUrgent(stale.get(query.queryHash), again));
    }
  }
  return stale;
}

function patch(rule: Rule, answer: unknown, changes: ReadonlyMap<number, unknown>, input: unknown): unknown {
  return rule.patch && answer !== undefined && carried(changes) ? rule.patch(answer, changes, input) : null;
}

function carried(changes: ReadonlyMap<number, unknown>): boolean {
  return [...changes.values()].every((payload) => payload !== null && payload !== undefined);
}

/** Changes from events while a query was being fetched. */
const changesDuringFetch = new WeakMap<Query, ((answer: unknown) => unknown)[]>();

/**
 * Merges changes from events during a fetch into its response, which may be older. On a slow network a second fetch
 * would have the same problem. Calls `request` for a query that cannot be patched.
 */
export function mergeChangesIntoFetches(client: QueryClient, request: (hash: string) => void): void {
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    const { action, query } = event;
    const changes = changesDuringFetch.get(query);
    if (!changes || (action.type !== 'error' && (action.type !== 'success' || action.manual))) return;
    changesDuringFetch.delete(query);
    if (action.type === 'error') return;
    const answer = changes.reduce((now, change) => (now === null ? null : change(now)), query.state.data as unknown);
    if (answer === null) request(query.queryHash);
    else client.setQueryData(query.queryKey, answer);
  });
}

/** The device in the path or filter of a query. */
function deviceOf(input: unknown): number | undefined {
  const { params, query } = (input ?? {}) as { params?: { id?: number }; query?: { deviceId?: number } };
  const id = params?.id ?? query?.deviceId;
  return id === undefined ? undefined : Number(id);
}
