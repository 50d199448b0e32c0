import type { DescribedItem, issueEndpoints, ResultOf } from '@chargehand/contract';
import {
  compareParameters,
  EVIDENCE_LIMITS,
  isSecretParameter,
  itemFinder,
  type Level,
  levelSuffices,
  secretKeys,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { presentDescription } from '../../models/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import {
  findDevice,
  findEvidence,
  findEvidenceFrames,
  insertEvidence,
  listAlarms,
  listCommands,
  listReadings,
  readFrames,
  readParameters,
} from './evidence.store.ts';
import type { StoredSituation } from './situation.ts';

type Endpoints = typeof issueEndpoints;
export type EvidenceService = ReturnType<typeof evidenceService>;

/**
 * Freezes the situation of a device for an issue, in the transaction that creates it. A device that has left the place
 * of the issue has none, because its present situation belongs to others.
 */
export async function takeEvidence(
  trx: Kysely<Database>,
  issue: { id: number; customerId: number; siteId: number | null; deviceId: number | null },
  now: Date,
): Promise<void> {
  const device = issue.deviceId === null ? null : await findDevice(trx, issue.deviceId, issue);
  if (!device) return;
  const description = await presentDescription(trx, device.deviceModelId);
  const marked = secretKeys(description.parameters);
  const items = new Map<string, { area: 'device' | 'params'; item: DescribedItem }>([
    ...description.parameters.map((item) => [item.key.toLowerCase(), { area: 'params', item }] as const),
    ...description.configs.map((item) => [item.key.toLowerCase(), { area: 'device', item }] as const),
  ]);
  /** The area and the level that reading a value needs; a secret one is not kept. */
  const find = itemFinder([...description.configs, ...description.parameters]);
  const readBy = (key: string): { area: 'device' | 'params'; level: Level } => {
    const known = items.get(key.toLowerCase()) ?? items.get(find(key)?.item.key.toLowerCase() ?? '');
    return known ? { area: known.area, level: known.item.readLevel } : { area: 'params', level: device.parameterLevel };
  };
  const shown = ({ key }: { key: string }) => !isSecretParameter(key, marked);
  const readings = await listReadings(trx, device);
  const baseline = await readParameters(trx, device);
  const compared = baseline
    ? compareParameters(
        baseline.actual.filter(shown),
        baseline.expected.filter(shown),
        (key) => items.get(key.toLowerCase())?.item ?? null,
      )
    : [];
  const { frames, complete } = await readFrames(trx, device, now, marked);
  const { name, sn, model, deviceModelId, softVersion, site, customer, status, connected, protocol, lastSeenAt } =
    device;
  const situation: StoredSituation = {
    device: {
      ...{ name, sn, model, deviceModelId, softVersion, site, customer, status, connected, protocol },
      lastSeenAt: lastSeenAt?.toISOString() ?? null,
    },
    alarms: await listAlarms(trx, device.id),
    readings: readings.filter(shown).map((one) => {
      const found = find(one.key);
      const described = found && { item: frozen(found.item), variant: found.variant };
      return { ...one, at: one.at.toISOString(), ...described, ...readBy(one.key) };
    }),
    parameters: compared
      .filter(({ difference }) => difference !== 'same')
      .slice(0, EVIDENCE_LIMITS.parameters)
      .map(({ key, here, there }) => {
        const item = items.get(key.toLowerCase())?.item;
        return {
          ...{ baseline: baseline?.name ?? '', key, expected: there, actual: here },
          ...(item && { item: frozen(item) }),
          ...readBy(key),
        };
      }),
    commands: await listCommands(trx, device, now),
    frames: { count: frames.length, complete },
  };
  await insertEvidence(trx, issue.id, situation, frames);
}

/** What shows a value later as the page of the device shows it now. */
function frozen({ name, type, range, unit }: DescribedItem) {
  return { name, type, range, unit };
}

/** Reads what was frozen. Values above the levels of the caller are left out, as on the page of the device. */
export function evidenceService(db: Kysely<Database>) {
  return {
    async read({ levels }: Caller, id: number): Promise<ResultOf<Endpoints['readIssueEvidence']>> {
      const found = await findEvidence(db, id);
      if (!found) return { evidence: null };
      const { readings, parameters, ...rest } = found.situation;
      const allowed = <T extends { area: 'device' | 'params'; level: Level }>(values: readonly T[]) =>
        values
          .filter(({ area, level }) => levelSuffices(levels[area].read, level))
          .map(({ area: _, level: __, ...value }) => value);
      return {
        evidence: {
          ...rest,
          takenAt: found.takenAt,
          readings: allowed(readings),
          parameters: allowed(parameters),
          withheld: readings.length + parameters.length - allowed(readings).length - allowed(parameters).length,
        },
      };
    },

    async frames(id: number): Promise<ResultOf<Endpoints['readIssueFrames']>> {
      return { items: await findEvidenceFrames(db, id) };
    },
  };
}
