import type { BodyOf, deviceImportEndpoints, ImportRow, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logActions } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { foreignKeyViolation, uniqueViolation } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { mapInSlices } from '../../platform/work/slices.ts';
import { inWorker } from '../../platform/work/workers.ts';
import { hashDevicePassword } from '../../ports/devices/device-password.ts';
import { type Events, inTransaction } from '../../ports/events.ts';
import type { SealedFields } from '../../ports/sealed-fields.ts';
import { loggableDevice } from '../devices/device-values.ts';
import { deriveStatuses } from '../sites/place-devices.store.ts';
import { insertDevices, lockImports, type NewDeviceValues } from './device-import.store.ts';
import { type CheckedRow, checkRows } from './import-check.ts';
import type { ImportField } from './import-columns.ts';
import type { ReadRow } from './import-rows.ts';
import type { ImportRead, ImportTask, WrittenRow } from './import-worker.ts';

type Import = typeof deviceImportEndpoints.importDevices;

/** The maximum number of faults that are listed for a row. */
const FAULTS_TOLD = 8;

export type DeviceImportService = ReturnType<typeof deviceImportService>;

/** Registers devices from files. */
export function deviceImportService(parts: { db: Kysely<Database>; events: Events; sealed: SealedFields }) {
  const { db, sealed } = parts;
  return {
    /**
     * Registers all devices of a file in one transaction, or none; with `skipInvalid`, those of the valid rows. A dry run
     * changes nothing and reports the result of every row.
     * @throws Problem those of `readImportFile` and `inWorker`, `importFailed`, and `importRaced` when another user
     * registered one of them first
     */
    async imported(caller: Caller, body: BodyOf<Import>): Promise<ResultOf<Import>> {
      const content = body.encrypted ? await sealed.openBytes('content', body.content) : body.content;
      const read = await rowsOf(body, content, caller);
      if ('headings' in read) {
        // The rows are read when the user has said which column is which.
        if (!body.dryRun) throw read.problem;
        return { total: 0, faulty: 0, imported: 0, leftOut: [], rows: [], headings: read.headings };
      }
      const { rows, leftOut } = read;
      if (!body.encrypted) refusePasswords(rows);
      if (body.dryRun) {
        const checked = await checkRows(db, caller, rows);
        const faulty = checked.filter(({ problems }) => problems.length > 0).length;
        return {
          total: checked.length,
          faulty,
          imported: 0,
          leftOut,
          headings: null,
          rows: await mapInSlices(checked, (row) => importRowOf(row, caller)),
        };
      }
      const { ids, skipped } = await explained(
        inTransaction(parts, async (trx, committed) => {
          await lockImports(trx);
          const checked = await checkRows(trx, caller, rows);
          const skipped = checked.filter(({ problems }) => problems.length > 0);
          if (skipped.length > 0 && (!body.skipInvalid || skipped.length === checked.length)) {
            const values = { count: skipped.length, total: rows.length };
            throw new Problem('importFailed', { field: 'content', values });
          }
          const valid = checked.filter(({ problems }) => problems.length === 0);
          const ids = await register(trx, caller, valid.map(valuesOf), body.fileName);
          for (const id of ids) committed.publish(['device.details', 'device.state'], { id });
          return { ids, skipped };
        }),
      );
      return {
        total: rows.length,
        faulty: skipped.length,
        imported: ids.length,
        leftOut,
        headings: null,
        rows: await mapInSlices(skipped, (row) => importRowOf(row, caller)),
      };
    },
  };
}

/**
 * Each device gets its own entry in the action log, so that the log of a device shows who imported it and from which
 * file.
 */
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
    objectType: 'device' as const,
    objectId: String(ids[index]),
    objectName: values.name,
    customerId: values.customer_id,
    siteId: values.site_id,
    after: { sn, ...loggableDevice(values), file: fileName },
  }));
  await logActions(trx, caller, entries);
  return ids;
}

/** Passwords must be encrypted: a row of an unencrypted file with a password cannot be imported. */
function refusePasswords(rows: readonly ReadRow[]): void {
  for (const { gatewayPassword, problems } of rows) {
    if (gatewayPassword !== null) problems.push(new Problem('importPasswordPlain', { field: 'gatewayPassword' }));
  }
}

/** The rows of a file, read in a worker thread. @throws Problem */
async function rowsOf(
  { fileName, columns }: Pick<BodyOf<Import>, 'fileName' | 'columns'>,
  content: string | Uint8Array,
  caller: Caller,
): Promise<
  { rows: ReadRow[]; leftOut: string[] } | { problem: Problem; headings: Exclude<ResultOf<Import>['headings'], null> }
> {
  const task = { fileName, content, columns, locale: caller.locale };
  const read = await inWorker<ImportTask, ImportRead>(caller, new URL('./import-worker.ts', import.meta.url), task);
  if ('problem' in read) {
    const problem = new Problem(...read.problem);
    if (read.headings === null) throw problem;
    const headings = read.headings.map(({ heading, field }) => ({ heading, field: field as ImportField | null }));
    return { problem, headings };
  }
  const parts = await mapInSlices(read.parts, (part) =>
    (JSON.parse(part) as WrittenRow[]).map((row) => ({
      ...row,
      problems: row.problems.map((problem) => new Problem(...problem)),
    })),
  );
  return { rows: parts.flat(), leftOut: read.leftOut };
}

function valuesOf(row: CheckedRow): NewDeviceValues {
  const { siteId, customerId, modelId } = row;
  if (siteId === null || customerId === null || modelId === null)
    throw new Error(`row ${row.row} was accepted without a site or a model`);
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

function importRowOf({ row, sn, name, site, model, problems }: CheckedRow, caller: Caller): ImportRow {
  const messages = problems.slice(0, FAULTS_TOLD).map((problem) => problem.envelope(caller.locale).message);
  return { row, sn, name, site, model, problems: messages };
}

/** The value was free when it was checked and taken when it was written: another user was faster. */
async function explained<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const raced = uniqueViolation(error) ?? foreignKeyViolation(error);
    if (raced?.startsWith('devices_')) throw new Problem('importRaced', { field: 'content' });
    throw error;
  }
}
