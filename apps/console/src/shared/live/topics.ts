import type { EventMap, EventsMessage, EventTopic } from '@chargehand/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
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
  /** True when the response is refetched even after a patch, because its rows or their order may have changed. */
  again?(input: InputOf<K>): boolean;
}

type Rule = {
  id?(input: unknown): number | undefined;
  patch?(answer: unknown, changes: ReadonlyMap<number, unknown>, input: unknown): unknown;
  again?(input: unknown): boolean;
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

/**
 * Patches the cached queries (`[endpoint, input]`) that show what events change. Returns the hashed keys of those that
 * must be refetched, because the event contains too little data, or because a request in flight may return the previous
 * state.
 */
export function applyEvents(client: QueryClient, message: EventsMessage): Set<string> {
  const stale = new Set<string>();
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
      const patched = patch(rule, query.state.data, changes, input);
      if (patched !== null) client.setQueryData(query.queryKey, patched);
      const again = patched === null || rule.again?.(input) || query.state.fetchStatus === 'fetching';
      if (again) stale.add(query.queryHash);
    }
  }
  return stale;
}

function patch(rule: Rule, answer: unknown, changes: ReadonlyMap<number, unknown>, input: unknown): unknown {
  if (!rule.patch || answer === undefined) return null;
  for (const payload of changes.values()) if (payload === null || payload === undefined) return null;
  return rule.patch(answer, changes, input);
}

/** The device in the path or filter of a query. */
function deviceOf(input: unknown): number | undefined {
  const { params, query } = (input ?? {}) as { params?: { id?: number }; query?: { deviceId?: number } };
  const id = params?.id ?? query?.deviceId;
  return id === undefined ? undefined : Number(id);
}
