import type { Query } from '../../platform/database/statement.ts';
import { storableText } from '../../platform/database/storable.ts';
import { type Item, rounds } from '../../ports/uplink-items.ts';
import { isClean, type Report, toReport } from './connector-reports.ts';
import { type Ended, endAlarms, endUnnamed, lockDevices, type Raised, raiseAlarms } from './episodes.store.ts';
import { takeOverFaults, withoutExplained } from './generic-faults.ts';
import type { QuietConnectors } from './quiet-connectors.ts';

/**
 * Turns connector reports into alarms and device events by the rules of `episodes.ts` in the domain: a fault raises its
 * alarm, repeats the active one or reopens one that was cleared minutes ago, and every report clears earlier faults
 * that it no longer contains. Returns the devices whose alarms or events changed.
 */
export async function storeReports(
  client: Query,
  items: readonly Item<'connectorStatus'>[],
  quiet: QuietConnectors,
): Promise<Set<number>> {
  const changed = new Set<number>();
  for (const round of rounds(items, (item) => `${item.deviceId} ${item.event.connector}`)) {
    const reports = round.map(toReport).filter((report) => !isClean(report) || !quiet.has(report));
    if (reports.length === 0) continue;
    for (const report of reports) if (!isClean(report)) quiet.forget(report);
    const raised = await withoutExplained(client, await taken(client, reports.flatMap(namedBy), reports));
    for (const id of await endUnnamed(client, reports, raised)) changed.add(id);
    if (raised.length > 0) await raiseAlarms(client, raised);
    for (const { deviceId } of raised) changed.add(deviceId);
  }
  return changed;
}

/**
 * Stores the alarms that devices raise and clear themselves, in the order of their reports. Returns the devices whose
 * alarms or events changed.
 */
export async function storeDeviceAlarms(client: Query, items: readonly Item<'alarm'>[]): Promise<Set<number>> {
  const changed = new Set<number>();
  const reported = items.map(({ deviceId, event }) => ({
    deviceId,
    connector: event.connector,
    at: event.at,
    info: storableText(event.info, 255),
    code: storableText(event.code, 64),
    kind: event.alarmKind,
    level: event.level,
    source: 'device' as const,
    active: event.active,
  }));
  for (const round of rounds(reported, ({ deviceId, connector, code }) => `${deviceId} ${connector} ${code}`)) {
    const raised = await taken(
      client,
      round.filter(({ active }) => active),
      round,
    );
    const ended: Ended[] = round.filter(({ active }) => !active);
    if (ended.length > 0) for (const id of await endAlarms(client, ended, 'device')) changed.add(id);
    await takeOverFaults(client, raised);
    if (raised.length > 0) await raiseAlarms(client, raised);
    for (const { deviceId } of raised) changed.add(deviceId);
  }
  return changed;
}

type Named = Omit<Raised, 'suppressed'>;

/**
 * Alarms with the level and suppression that follow from the facts about their devices. All `concerned` devices are
 * locked.
 */
async function taken(
  client: Query,
  named: readonly Named[],
  concerned: readonly { deviceId: number }[],
): Promise<Raised[]> {
  const contexts = await lockDevices(
    client,
    concerned.map(({ deviceId }) => deviceId),
    named.map(({ code }) => code),
  );
  return named.map((alarm) => {
    const known = contexts.get(alarm.deviceId);
    const described = known?.codes?.[alarm.code];
    return {
      ...alarm,
      kind: described?.kind ?? alarm.kind,
      level: described?.level ?? alarm.level,
      suppressed: known?.suppressed ?? false,
    };
  });
}

function namedBy({ deviceId, connector, at, info, alarms }: Report): Named[] {
  return alarms.map((alarm) => ({ deviceId, connector, at, info, ...alarm, source: 'status' as const }));
}
