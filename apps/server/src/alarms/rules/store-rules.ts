import { dueAt, type RuleValue } from '@chargehand/domain';
import type { Query } from '../../platform/database/statement.ts';
import { storableText } from '../../platform/database/storable.ts';
import { rounds } from '../../ports/uplink-items.ts';
import { endAlarms, lockDevices, type RaisedByRule, raiseAlarms } from '../episodes/episodes.store.ts';
import { awaitValues, forgetStates, type StoredState, saveStates } from './rule-states.store.ts';
import type { Evaluation, RuleChange } from './rule-watch.ts';
import type { PresentRule } from './rules.store.ts';

/**
 * Stores the results of values for alarm rules: conditions whose duration is running, and alarms that are raised and
 * cleared immediately. Returns the devices whose alarms or events changed.
 */
export async function storeRuleChanges(client: Query, { changes, awaited }: Evaluation): Promise<Set<number>> {
  const changed = new Set<number>();
  for (const round of rounds(changes, ({ deviceId, connector, rule }) => `${deviceId} ${connector} ${rule.code}`)) {
    const known = await lockDevices(
      client,
      round.map(({ deviceId }) => deviceId),
      [],
    );
    const ended = round.filter(({ step }) => step === 'end').map(placed);
    const going = round.filter(({ step }) => step !== 'end');
    await forgetStates(client, ended);
    if (ended.length > 0) for (const id of await endAlarms(client, ended, 'rule')) changed.add(id);
    await saveStates(client, going.map(stateOf));
    const raised = going
      .filter(({ step }) => step === 'raise')
      .map((change) => ({
        ...placed(change),
        ...raisedBy(change.rule, change.value),
        suppressed: known.get(change.deviceId)?.suppressed ?? false,
      }));
    if (raised.length > 0) await raiseAlarms(client, raised);
    for (const { deviceId } of raised) changed.add(deviceId);
  }
  if (awaited.length > 0) {
    await lockDevices(
      client,
      awaited.map(({ deviceId }) => deviceId),
      [],
    );
    for (const round of rounds(awaited, ({ deviceId, rule }) => `${deviceId} ${rule.code}`)) {
      await awaitValues(
        client,
        round.map(({ deviceId, rule, at }) => ({
          ...{ deviceId, connector: rule.connector ?? 0, code: rule.code, print: rule.print, since: at, value: null },
          ...{ raised: false, dueAt: new Date(at.getTime() + rule.durationSeconds * 1_000) },
        })),
      );
    }
  }
  return changed;
}

/** The alarm that a rule raises, with the value. */
export function raisedBy(rule: PresentRule, value: RuleValue | null) {
  const { code, kind, level, name, key, itemName, unit, print, condition, low, high, values, hysteresis } = rule;
  const shown = value === null ? null : storableText(String(value), 200);
  const raised: RaisedByRule = {
    ...{ name, key, itemName, unit, condition, low, high, values, hysteresis },
    ...{ durationSeconds: rule.durationSeconds, value: shown, print },
  };
  const info = shown === null ? null : storableText(`${key} ${shown} ${unit}`.trim(), 255);
  return { code, kind, level, info, source: 'rule' as const, rule: raised };
}

function placed({ deviceId, connector, rule, at }: RuleChange) {
  return { deviceId, connector, code: rule.code, at: new Date(at) };
}

function stateOf({ deviceId, connector, rule, step, at, value }: RuleChange): StoredState {
  const raised = step === 'raise';
  const due = dueAt(rule, { at, value, since: at, raised });
  return {
    ...{ deviceId, connector, code: rule.code, print: rule.print, since: new Date(at), raised },
    value: storableText(String(value), 200),
    dueAt: due === null ? null : new Date(due),
  };
}
