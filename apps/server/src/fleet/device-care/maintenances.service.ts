import type { BodyOf, deviceCareEndpoints, QueryOf, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf } from '../../platform/http/serve/list-queries.ts';
import { type Events, inTransaction } from '../../ports/events.ts';
import { entryOf, requireEditable } from '../devices/editable-device.ts';
import { deriveStatuses } from '../sites/place-devices.store.ts';
import { EXPLANATIONS } from '../tables.ts';
import {
  endRunning,
  insertDone,
  insertRunning,
  listMaintenances,
  type NewMaintenance,
  readService,
  setMaintenance,
} from './maintenances.store.ts';

type Endpoints = typeof deviceCareEndpoints;
export type MaintenancesService = ReturnType<typeof maintenancesService>;

/** Manages maintenance of devices. Every change is recorded in the action log in the same transaction. */
export function maintenancesService(parts: { db: Kysely<Database>; events: Events }) {
  const { db } = parts;
  return {
    async list(
      caller: Caller,
      deviceId: number,
      query: QueryOf<Endpoints['listMaintenances']>,
    ): Promise<ResultOf<Endpoints['listMaintenances']>> {
      const order = listOrder(query.sort, '-beganAt');
      return await listMaintenances(caller.scope, db, deviceId, order, pageOf(query));
    },

    /** Records a completed maintenance: the time since maintenance starts again. Running work continues. */
    async record(
      caller: Caller,
      deviceId: number,
      body: BodyOf<Endpoints['recordMaintenance']>,
    ): Promise<{ id: number }> {
      return await inTransaction(parts, async (trx, committed) => {
        const device = await requireEditable(trx, caller, deviceId);
        const service = await readService(trx, deviceId);
        const id = await insertDone(trx, { ...workOf(caller, deviceId, body.note), maintained: true }, service);
        await setMaintenance(trx, deviceId, { maintained: true });
        await logAction(trx, caller, {
          ...entryOf(device, 'edit'),
          before: { unmaintainedDays: service.unmaintainedDays },
          after: { unmaintainedDays: 0, note: body.note.trim() },
        });
        committed.publish('device.details', { id: deviceId });
        return { id };
      });
    },

    /** Sets a device to maintenance. @throws Problem `maintenanceRuns` */
    async begin(
      caller: Caller,
      deviceId: number,
      body: BodyOf<Endpoints['beginMaintenance']>,
    ): Promise<{ id: number }> {
      return await inTransaction(parts, async (trx, committed) => {
        const device = await requireEditable(trx, caller, deviceId);
        if (device.maintenance) throw new Problem('maintenanceRuns');
        const id = await explained(insertRunning(trx, workOf(caller, deviceId, body.note)), EXPLANATIONS);
        await setMaintenance(trx, deviceId, { maintenance: true });
        await deriveStatuses(trx, [deviceId]);
        await logAction(trx, caller, {
          ...entryOf(device, 'edit'),
          before: { maintenance: false },
          after: { maintenance: true, note: body.note.trim() },
        });
        committed.publish(['device.details', 'device.state', 'device.alarms'], { id: deviceId });
        return { id };
      });
    },

    /** Ends the work on a device. @throws Problem `maintenanceRunsNot` */
    async end(caller: Caller, deviceId: number, body: BodyOf<Endpoints['endMaintenance']>): Promise<void> {
      await inTransaction(parts, async (trx, committed) => {
        const device = await requireEditable(trx, caller, deviceId);
        if (!device.maintenance) throw new Problem('maintenanceRunsNot');
        const service = await readService(trx, deviceId);
        const work = { ...workOf(caller, deviceId, body.note), maintained: body.maintained };
        // A device whose work started before maintenance was recorded has no entry to end.
        if (!(await endRunning(trx, work, service))) await insertDone(trx, work, service);
        await setMaintenance(trx, deviceId, { maintenance: false, maintained: body.maintained });
        await deriveStatuses(trx, [deviceId]);
        const days = body.maintained ? { unmaintainedDays: service.unmaintainedDays } : {};
        await logAction(trx, caller, {
          ...entryOf(device, 'edit'),
          before: { maintenance: true, ...days },
          after: { maintenance: false, ...(body.maintained ? { unmaintainedDays: 0 } : {}), note: body.note.trim() },
        });
        committed.publish(['device.details', 'device.state', 'device.alarms'], { id: deviceId });
      });
    },
  };
}

function workOf(caller: Caller, deviceId: number, note: string): NewMaintenance {
  return { deviceId, userId: caller.userId, userName: caller.userName, note: note.trim() };
}
