import {
  afterValue,
  keysOfRule,
  type RuleState,
  type RuleValue,
  timeOfStored,
  timeOfValue,
  worstValue,
} from '@chargehand/domain';
import type { Query } from '../../platform/database/statement.ts';
import { newestEntries } from '../../platform/memory/newest-entries.ts';
import type { Sorted } from '../../ports/uplink-items.ts';
import { type StoredState, statesOf } from './rule-states.store.ts';
import { devicesWithModels, latestValues, type PresentRule, presentRules } from './rules.store.ts';

/** A step of a rule at a place: its condition started or ended, or its alarm is raised. */
export interface RuleChange {
  deviceId: number;
  connector: number;
  rule: PresentRule;
  step: 'begin' | 'raise' | 'end';
  at: number;
  value: RuleValue;
}

/** The results of a batch for alarm rules. */
export interface Evaluation {
  changes: RuleChange[];
  /** devices whose connections opened, and their rules for missing values */
  awaited: { deviceId: number; rule: PresentRule; at: Date }[];
  /** call after it is stored */
  keep(): void;
}

/**
 * Checks device reports against the alarm rules of their models. All that is needed is in memory: a value of a device
 * whose model has no rules costs one look-up in a map.
 */
export interface RuleWatch {
  /** The results of the events of a batch. Batches of one device must be processed and stored one after the other. */
  evaluate(client: Query, sorted: Sorted): Promise<Evaluation>;
  /** The contents of models, or the models of devices, have changed. */
  forgetAll(): void;
}

interface Rules {
  /** by each key under which values are found */
  byKey: Map<string, PresentRule[]>;
  missing: PresentRule[];
}

/** What is remembered for a device whose model has rules. */
interface Watched {
  rules: Rules;
  skewMs: number;
  /** by connector and code */
  states: Map<string, RuleState>;
}

/** More devices than a process serves. Beyond it the oldest are forgotten, and read again when they report. */
const WATCHED_DEVICES = 200_000;

export function ruleWatch(): RuleWatch {
  let devices = new Map<number, Watched | null>();
  let models = new Map<number, Rules | null>();
  const nothing: Evaluation = { changes: [], awaited: [], keep: () => undefined };

  const learn = async (client: Query, ids: readonly number[]) => {
    const [known, learnt] = [models, devices];
    const rows = await devicesWithModels(client, ids);
    const unknown = [...new Set(rows.map(({ modelId }) => modelId))].filter((id) => !known.has(id));
    if (unknown.length > 0) {
      const present = await presentRules(client, unknown);
      for (const id of unknown) known.set(id, sorted(present.get(id) ?? []));
    }
    const watched = rows.flatMap(({ id, modelId, skewMs }): [number, Watched][] => {
      const rules = known.get(modelId) ?? null;
      return rules ? [[id, { rules, skewMs, states: new Map() }]] : [];
    });
    const unwatched = () => {
      for (const id of ids) learnt.set(id, null);
    };
    if (watched.length === 0) return unwatched();
    const concerned = watched.map(([id]) => id);
    const keys = new Set(watched.flatMap(([, { rules }]) => [...rules.byKey.keys()]));
    const [values, states] = await Promise.all([
      latestValues(client, concerned, [...keys]),
      statesOf(client, concerned),
    ]);
    // Only after everything was read, so that it is read again after an error.
    unwatched();
    for (const [id, one] of watched) learnt.set(id, one);
    for (const { deviceId, connector, key, at, value } of values) {
      const one = learnt.get(deviceId);
      for (const { code } of one?.rules.byKey.get(key) ?? []) {
        const measured = timeOfStored(at.getTime(), Date.now(), one!.skewMs);
        const place = placeOf(connector, code);
        // Of several phases, the newest value.
        if (measured < (one!.states.get(place)?.at ?? 0)) continue;
        one!.states.set(place, { at: measured, value, since: null, raised: false });
      }
    }
    for (const state of states) restore(learnt.get(state.deviceId) ?? null, state);
  };

  return {
    async evaluate(client, events) {
      for (const { deviceId } of events.connected) devices.delete(deviceId);
      devices = newestEntries(devices, WATCHED_DEVICES);
      const unknown = new Set<number>();
      for (const items of [events.reading, events.texts, events.connected]) {
        for (const { deviceId } of items) if (!devices.has(deviceId)) unknown.add(deviceId);
      }
      // Entries that are removed while they are read stay in this batch, and are read again for the next.
      const mine = devices;
      if (unknown.size > 0) await learn(client, [...unknown]);
      for (const { deviceId, event } of events.clock) {
        const one = mine.get(deviceId);
        if (one) one.skewMs = event.skewMs;
      }
      const next = new Map<Watched, Map<string, RuleState>>();
      const changes: RuleChange[] = [];
      const report = (
        one: Watched,
        source: { deviceId: number; connector: number; at: Date; receivedAt: number },
        values: readonly { key: string; value: RuleValue }[],
      ) => {
        let concerned: Map<PresentRule, [RuleValue, ...RuleValue[]]> | null = null;
        for (const { key, value } of values) {
          for (const rule of one.rules.byKey.get(key) ?? []) {
            concerned ??= new Map();
            const known = concerned.get(rule);
            if (known) known.push(value);
            else concerned.set(rule, [value]);
          }
        }
        if (concerned === null) return;
        const { deviceId, connector } = source;
        const at = timeOfValue(source.at.getTime(), source.receivedAt, one.skewMs);
        if (at === null) return;
        const after = next.get(one) ?? new Map<string, RuleState>();
        next.set(one, after);
        for (const [rule, phases] of concerned) {
          if (rule.connector !== null && rule.connector !== connector) continue;
          const place = placeOf(connector, rule.code);
          const before = after.get(place) ?? one.states.get(place) ?? null;
          const value = worstValue(rule, phases, before !== null && before.since !== null);
          const { state, action } = afterValue(rule, before, { at, value });
          after.set(place, state);
          // Only the database knows whether a started one was raised in the meantime.
          const step = action === 'raise' ? action : stepBetween(before, state);
          if (step !== null) changes.push({ deviceId, connector, rule, step, at, value });
        }
      };
      for (const { deviceId, event } of events.reading) {
        const one = mine.get(deviceId);
        if (!one) continue;
        const { connector, at, values } = event;
        report(one, { deviceId, connector, at, receivedAt: event.receivedAt.getTime() }, values);
      }
      for (const { deviceId, event } of events.texts) {
        const one = mine.get(deviceId);
        if (!one) continue;
        const { connector, at } = event;
        const receivedAt = event.receivedAt.getTime();
        for (const value of event.values) report(one, { deviceId, connector, at, receivedAt }, [value]);
      }
      const awaited = events.connected.flatMap(({ deviceId, event }) =>
        (mine.get(deviceId)?.rules.missing ?? []).map((rule) => ({ deviceId, rule, at: event.at })),
      );
      if (next.size === 0 && awaited.length === 0) return nothing;
      return {
        changes,
        awaited,
        keep() {
          for (const [one, states] of next) for (const [place, state] of states) one.states.set(place, state);
        },
      };
    },
    forgetAll() {
      devices = new Map();
      models = new Map();
    },
  };
}

function sorted(rules: readonly PresentRule[]): Rules | null {
  if (rules.length === 0) return null;
  const missing = rules.filter(({ condition }) => condition === 'missing');
  const byKey = new Map<string, PresentRule[]>();
  for (const rule of rules) {
    if (rule.condition === 'missing') continue;
    for (const key of keysOfRule(rule)) byKey.set(key, [...(byKey.get(key) ?? []), rule]);
  }
  return { byKey, missing };
}

/** Continues the stored state of a rule, unless the rule has changed. */
function restore(one: Watched | null, { connector, code, print, since, value, raised }: StoredState): void {
  if (one === null) return;
  for (const rules of one.rules.byKey.values()) {
    for (const rule of rules) {
      if (rule.code !== code || rule.print !== print) continue;
      const place = placeOf(connector, code);
      const known = one.states.get(place) ?? { at: since.getTime(), value: value ?? '' };
      one.states.set(place, { ...known, since: since.getTime(), raised });
    }
  }
}

function stepBetween(before: RuleState | null, after: RuleState): 'begin' | 'end' | null {
  const held = before !== null && before.since !== null;
  const holds = after.since !== null;
  if (held === holds) return null;
  return holds ? 'begin' : 'end';
}

const placeOf = (connector: number, code: string) => `${connector} ${code}`;
