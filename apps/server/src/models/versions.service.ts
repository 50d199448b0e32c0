import type { DeviceDescription, WithDates } from '@chargehand/contract';
import { controlProblem } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { notFound, Problem } from '../platform/http/problem.ts';
import { type Family, readFamily } from './contents.store.ts';
import { type Description, describe, readable } from './describe.ts';
import { findModel, modelOfDevice, snapshotBase } from './device-models/device-models.store.ts';
import {
  insertVersion,
  presentVersion,
  type VersionRecord,
  versionAt,
  versionsAt,
  withDescendants,
} from './versions.store.ts';

/**
 * Stores the current definition of models and of all that inherit from them as new versions, where it differs from
 * their last one.
 * @throws Problem `controlLevelLow` when inherited contents do not fit the levels of a model, `ruleItemMissing` when an
 * alarm rule uses an item that the model does not report
 */
export async function describeAgain(trx: Kysely<Database>, ids: readonly number[], changedBy: string): Promise<void> {
  if (ids.length === 0) return;
  const all = await withDescendants(trx, ids);
  const family = await readFamily(trx, all);
  for (const id of all) {
    const description = describe(family, id);
    requireFitting(family, id, description);
    const model = await snapshotBase(trx, id);
    // Without rules, as before alarm rules existed: an unchanged definition creates no new version.
    const { rules, ...rest } = description;
    await insertVersion(trx, id, changedBy, { model, ...rest, ...(rules.length > 0 && { rules }) });
  }
}

function requireFitting(family: Family, id: number, description: Description): void {
  const model = family.models.get(id)!;
  const readable = new Set(description.configs.map(({ dataItemId }) => dataItemId));
  const lost = description.rules.find(({ dataItemId }) => !readable.has(dataItemId));
  if (lost) {
    throw new Problem('ruleItemMissing', { field: 'rules', values: { code: lost.code, model: model.name } });
  }
  for (const control of description.controls) {
    const problem = controlProblem(control, model.parameterWriteLevel);
    if (problem === null) continue;
    throw new Problem(problem, {
      field: 'controls',
      values: { type: control.type, level: model.parameterWriteLevel, model: model.name },
    });
  }
}

/** The definition of a device's model, at a given time if there is one, as far as the caller's levels allow. */
export async function describeDevice(
  db: Kysely<Database>,
  caller: Caller,
  deviceId: number,
  at: string | undefined,
): Promise<WithDates<DeviceDescription>> {
  const modelId = await modelOfDevice(caller.scope, db, deviceId);
  const model = modelId === null ? null : await findModel(db, modelId);
  if (!model) throw notFound('device');
  const named = { deviceModelId: model.id, deviceModelName: model.name };
  const version = await versionAt(db, model.id, at === undefined ? null : new Date(at));
  if (!version) return { ...named, version: 0, at: null, configs: [], parameters: [], controls: [] };
  const { rules: _, ...described } = readable(descriptionOf(version), caller.levels);
  return { ...named, version: version.version, at: version.at, ...described };
}

/** A model with all it inherits, as it is now, without filtering by level. */
export interface PresentDescription extends Description {
  version: number;
}

/** The current definition of a model; version 0 and empty while nobody has described it. For modules that act on it. */
export async function presentDescription(db: Kysely<Database>, deviceModelId: number): Promise<PresentDescription> {
  const kept = await presentVersion(db, deviceModelId);
  return kept ? describedBy(kept) : { version: 0, configs: [], parameters: [], controls: [], rules: [] };
}

/**
 * The current definition of a model and those in force at given times, to read what was reported then. `at` returns the
 * definition of one of the given times.
 */
export async function descriptionsAt(
  db: Kysely<Database>,
  deviceModelId: number,
  times: readonly Date[],
): Promise<{ present: PresentDescription; at(time: Date): PresentDescription }> {
  const kept = await presentVersion(db, deviceModelId);
  if (!kept) {
    const nothing = await presentDescription(db, deviceModelId);
    return { present: nothing, at: () => nothing };
  }
  const present = describedBy(kept);
  const older = [...new Set(times.map((time) => time.getTime()))].filter((time) => time < kept.at.getTime());
  if (older.length === 0) return { present, at: () => present };
  const { versions, inForce } = await versionsAt(
    db,
    deviceModelId,
    older.map((time) => new Date(time)),
  );
  const byVersion = new Map(versions.map((version) => [version.version, describedBy(version)]));
  const byTime = new Map(older.map((time, index) => [time, byVersion.get(inForce[index] ?? 0)]));
  return { present, at: (time) => byTime.get(time.getTime()) ?? present };
}

function describedBy(version: VersionRecord): PresentDescription {
  return { version: version.version, ...descriptionOf(version) };
}

/** The definition of a version. Versions from before alarm rules existed have none. */
function descriptionOf(version: VersionRecord): Description {
  const { configs, parameters, controls, rules } = version.description as Omit<Description, 'rules'> &
    Partial<Pick<Description, 'rules'>>;
  return { configs, parameters, controls, rules: rules ?? [] };
}
