import type { AnswerOf, BodyOf, deviceImportEndpoints, ImportRow } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logActions } from '../audit/index.ts';
import type { Database } from '../platform/database/schema.ts';
import { foreignKeyViolation, uniqueViolation } from '../platform/database/violations.ts';
import { Problem } from '../platform/http/problem.ts';
import { mayEditDevices } from '../platform/http/visible-device.ts';
import type { Caller } from '../ports/caller.ts';
import type { ChangeFeed } from '../ports/changes.ts';
import { hashDevicePassword } from '../ports/device-password.ts';
import { insertDevices, lockImports, type NewDeviceValues } from './device-import.store.ts';
import { loggableDevice } from './device-values.ts';
import { readImportFile } from './import-file.ts';
import { type JudgedRow, judgeRows } from './import-judge.ts';
import { readRow } from './import-rows.ts';
import { deriveStatuses } from './place-devices.store.ts';

type Import = typeof deviceImportEndpoints.importDevices;

/** More faults of one row are not told. */
const FAULTS_TOLD = 8;

export type DeviceImportService = ReturnType<typeof deviceImportService>;

/** Devices from files. */
export function deviceImportService(parts: { db: Kysely<Database>; changes: ChangeFeed }) {
  const { db, changes } = parts;
  return {
    /**
     * Registers the devices of a file, all in one transaction or none. A dry run changes nothing and tells the fate of
     * every row.
     * @throws Problem `noPermission`, those of `readImportFile`, `importFailed`, and `importRaced` when somebody was faster
     */
    async imported(caller: Caller, body: BodyOf<Import>): Promise<AnswerOf<Import>> {
      if (!mayEditDevices(caller)) throw new Problem('noPermission');
      const file = await readImportFile(body.fileName, bytesOf(body.content), caller.locale);
      const rows = file.map(readRow);
      if (body.dryRun) {
        const judged = await judgeRows(db, caller, rows);
        const faulty = judged.filter(({ problems }) => problems.length > 0).length;
        return { total: judged.length, faulty, imported: 0, rows: judged.map((row) => fateOf(row, caller)) };
      }
      const ids = await explained(
        db.transaction().execute(async (trx) => {
          await lockImports(trx);
          const judged = await judgeRows(trx, caller, rows);
          const faulty = judged.filter(({ problems }) => problems.length > 0).length;
          if (faulty > 0)
            throw new Problem('importFailed', { field: 'content', values: { count: faulty, total: rows.length } });
          return await register(trx, caller, judged.map(valuesOf), body.fileName);
        }),
      );
      for (const id of ids) changes.changed(id, 'details', 'state');
      return { total: rows.length, faulty: 0, imported: ids.length, rows: [] };
    },
  };
}

/** Each device has an entry of its own in the action log: whoever looks at a device finds who brought it, and in which file. */
async function register(
  trx: Kysely<Database>,
  caller: Caller,
  devices: readonly NewDeviceValues[],
  fileName: string,
): Promise<number[]> {
  const ids = await insertDevices(trx, devices);
  await deriveStatuses(trx, ids);
  const entries = devices.map(({ sn, ...values }, index) => ({
    operation: 'new' as const,
    objectType: 'device',
    objectId: String(ids[index]),
    objectName: values.name,
    customerId: values.customer_id,
    siteId: values.site_id,
    after: { sn, ...loggableDevice(values), file: fileName },
  }));
  await logActions(trx, caller, entries);
  return ids;
}

/** The bytes of a file that came as base64. @throws Problem `fieldFormat` */
function bytesOf(content: string): Buffer {
  const bytes = Buffer.from(content, 'base64');
  // What is no base64 is skipped by the decoder: the length tells.
  if (bytes.length !== Math.floor((content.replace(/=+$/, '').length * 3) / 4))
    throw new Problem('fieldFormat', { field: 'content', values: { expected: 'base64' } });
  return bytes;
}

function valuesOf(row: JudgedRow): NewDeviceValues {
  const { siteId, customerId, modelId } = row;
  if (siteId === null || customerId === null || modelId === null)
    throw new Error(`row ${row.row} was found good without a place or a model`);
  return {
    sn: row.sn,
    name: row.name,
    site_id: siteId,
    customer_id: customerId,
    device_model_id: modelId,
    install_date: row.installDate,
    arrival_date: row.arrivalDate,
    maintenance_cycle_days: row.maintenanceCycleDays,
    gateway_password_hash: row.gatewayPassword === null ? null : hashDevicePassword(row.gatewayPassword),
  };
}

function fateOf({ row, sn, name, site, model, problems }: JudgedRow, caller: Caller): ImportRow {
  const messages = problems.slice(0, FAULTS_TOLD).map((problem) => problem.envelope(caller.locale).message);
  return { row, sn, name, site, model, problems: messages };
}

/** What was free when it was looked at and is not when it is written: somebody else was faster. */
async function explained<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const raced = uniqueViolation(error) ?? foreignKeyViolation(error);
    if (raced?.startsWith('devices_')) throw new Problem('importRaced', { field: 'content' });
    throw error;
  }
}
