import { afterWait, keysOfRule, missingDueAt, type RuleState, timeOfStored } from '@chargehand/domain';
import type { Query } from '../../platform/database/statement.ts';
import { type Ended, endAlarms, lockDevices, type Raised, raiseAlarms } from '../episodes/episodes.store.ts';
import {
  awaitOnConnected,
  type DueState,
  forgetStates,
  lockDueStates,
  lockOrphans,
  type RulePlace,
  type StoredState,
  saveStates,
} from './rule-states.store.ts';
import { type LatestValue, latestValues, type PresentRule, presentRules } from './rules.store.ts';
import { raisedBy } from './store-rules.ts';

/** How often missing values are checked. */
const AGAIN_MS = 10_000;

/** The result of a sweep. */
export interface Swept {
  /** how many states were checked */
  count: number;
  /** devices whose alarms changed */
  changed: Set<number>;
}

/**
 * Processes due states of at most `limit` devices: conditions that held for their duration, old changes, missing
 * values. Call this in a transaction.
 */
export async function sweepRules(client: Query, now: Date, limit: number): Promise<Swept> {
  const due = await lockDueStates(client, now, limit);
  const changed = new Set<number>();
  if (due.length === 0) return { count: 0, changed };
  const present = await presentRules(client, [...new Set(due.map(({ modelId }) => modelId))]);
  const known = await lockDevices(client, [...new Set(due.map(({ deviceId }) => deviceId))], []);
  const found = due.map((state) => ({
    state,
    rule: present.get(state.modelId)?.find(({ code, print }) => code === state.code && print === state.print) ?? null,
  }));
  const silent = found.filter(({ rule }) => rule?.condition === 'missing');
  const values = await latestValues(
    client,
    silent.map(({ state }) => state.deviceId),
    [...new Set(silent.flatMap(({ rule }) => keysOfRule(rule!)))],
  );
  const over: RulePlace[] = [];
  const kept: StoredState[] = [];
  const raised: Raised[] = [];
  const ended: Ended[] = [];
  for (const { state, rule } of found) {
    if (rule === null) {
      over.push(state);
      ended.push({ ...placeOf(state), at: now });
      continue;
    }
    const step = rule.condition === 'missing' ? missed(rule, state, values, now) : waited(rule, state, now);
    if (step.kept) kept.push(step.kept);
    else over.push(state);
    if (step.raisedAt !== null) {
      const suppressed = known.get(state.deviceId)?.suppressed ?? false;
      raised.push({ ...placeOf(state), at: new Date(step.raisedAt), suppressed, ...raisedBy(rule, state.value) });
    }
    if (step.endedAt !== null) ended.push({ ...placeOf(state), at: new Date(step.endedAt) });
  }
  await forgetStates(client, over);
  await saveStates(client, kept);
  if (ended.length > 0) for (const id of await endAlarms(client, ended, 'rule')) changed.add(id);
  if (raised.length > 0) await raiseAlarms(client, raised);
  for (const { deviceId } of raised) changed.add(deviceId);
  return { count: due.length, changed };
}

/**
 * Clears alarms of rules that are no longer in force, because they were deleted, disabled or changed, or because a
 * device has another model now. Starts to wait for missing values for new rules. Call this in a transaction. Returns
 * the devices whose alarms changed.
 */
export async function followRules(client: Query, now: Date, limit: number): Promise<Set<number>> {
  const present = await presentRules(client, null);
  const rules = [...present].flatMap(([modelId, all]) =>
    all.map((rule) => ({
      ...{ modelId, code: rule.code, print: rule.print, connector: rule.connector ?? 0 },
      ...{ seconds: rule.durationSeconds, silent: rule.condition === 'missing' },
    })),
  );
  const orphans = await lockOrphans(client, rules, limit);
  const changed = new Set<number>();
  if (orphans.length > 0) {
    await forgetStates(client, orphans);
    const ended = orphans.map((place) => ({ ...place, at: now }));
    for (const id of await endAlarms(client, ended, 'rule')) changed.add(id);
  }
  await awaitOnConnected(
    client,
    rules.filter(({ silent }) => silent),
  );
  return changed;
}

interface Step {
  /** null: no state remains */
  kept: StoredState | null;
  raisedAt: number | null;
  endedAt: number | null;
}

function waited(rule: PresentRule, stored: DueState, now: Date): Step {
  const since = stored.since.getTime();
  const state: RuleState = { at: since, value: stored.value ?? '', since, raised: stored.raised };
  const { action } = afterWait(rule, state, now.getTime());
  const due = since + rule.durationSeconds * 1_000;
  if (action === 'end') return { kept: null, raisedAt: null, endedAt: due };
  const raises = action === 'raise';
  const kept = { ...stored, raised: stored.raised || raises, dueAt: null };
  return { kept, raisedAt: raises ? due : null, endedAt: null };
}

function missed(rule: PresentRule, stored: DueState, values: readonly LatestValue[], now: Date): Step {
  const keys = keysOfRule(rule);
  const received = values
    .filter(({ deviceId, key }) => deviceId === stored.deviceId && keys.includes(key))
    .filter(({ connector }) => rule.connector === null || rule.connector === connector)
    .map(({ at }) => timeOfStored(at.getTime(), now.getTime(), stored.skewMs));
  const lastAt = received.length > 0 ? Math.max(...received) : null;
  const nothing = { raisedAt: null, endedAt: null };
  // A device without a connection cannot report: the wait restarts when the connection opens.
  if (!stored.connected || stored.connectedAt === null) return { kept: { ...stored, dueAt: null }, ...nothing };
  const due = missingDueAt(rule, lastAt, stored.connectedAt.getTime());
  if (stored.raised) {
    // Only a value clears it; a new connection does not.
    const receivedInTime = lastAt !== null && lastAt + rule.durationSeconds * 1_000 > now.getTime();
    if (receivedInTime)
      return { kept: { ...stored, raised: false, dueAt: new Date(due) }, raisedAt: null, endedAt: lastAt };
    return { kept: { ...stored, dueAt: new Date(now.getTime() + AGAIN_MS) }, ...nothing };
  }
  if (due > now.getTime()) return { kept: { ...stored, dueAt: new Date(due) }, ...nothing };
  const kept = { ...stored, raised: true, dueAt: new Date(now.getTime() + AGAIN_MS) };
  return { kept, raisedAt: due, endedAt: null };
}

function placeOf({ deviceId, connector, code }: RulePlace): RulePlace {
  return { deviceId, connector, code };
}
