import type { AnswerOf, BodyOf, deviceCareEndpoints, QueryOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { uniqueViolation } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf } from '../../platform/http/serve/list-queries.ts';
import type { Events } from '../../ports/events.ts';
import { entryOf, requireEditable } from '../devices/editable-device.ts';
import { deriveStatuses } from '../sites/place-devices.store.ts';
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
  const { db, events } = parts;
  return {
    async list(
      caller: Caller,
      deviceId: number,
      query: QueryOf<Endpoints['listMaintenances']>,
    ): Promise<AnswerOf<Endpoints['listMaintenances']>> {
      const order = listOrder(query.sort, '-beganAt');
      const { items, total } = await listMaintenances(caller.scope, db, deviceId, order, pageOf(query));
      const rows = items.map((item) => ({
        ...item,
        beganAt: item.beganAt.toISOString(),
        endedAt: item.endedAt?.toISOString() ?? null,
      }));
      return { items: rows, total };
    },

    /** Records a completed maintenance: the time since maintenance starts again. Running work continues. */
    async record(
      caller: Caller,
      deviceId: number,
      body: BodyOf<Endpoints['recordMaintenance']>,
    ): Promise<{ id: number }> {
      const id = await db.transaction().execute(async (trx) => {
        const device = await requireEditable(trx, caller, deviceId);
        const service = await readService(trx, deviceId);
        const made = await insertDone(trx, { ...workOf(caller, deviceId, body.note), maintained: true }, service);
        await setMaintenance(trx, deviceId, { maintained: true });
        await logAction(trx, caller, {
          ...entryOf(device, 'edit'),
          before: { unmaintainedDays: service.unmaintainedDays },
          after: { unmaintainedDays: 0, note: body.note.trim() },
        });
        return made;
      });
      events.publish('device.details', { id: deviceId });
      return { id };
    },

    /** Sets a device to maintenance. @throws Problem `maintenanceRuns` */
    async begin(
      caller: Caller,
      deviceId: number,
      body: BodyOf<Endpoints['beginMaintenance']>,
    ): Promise<{ id: number }> {
      const id = await db.transaction().execute(async (trx) => {
        const device = await requireEditable(trx, caller, deviceId);
        if (device.maintenance) throw new Problem('maintenanceRuns');
        const made = await onceRunning(insertRunning(trx, workOf(caller, deviceId, body.note)));
        await setMaintenance(trx, deviceId, { maintenance: true });
        await deriveStatuses(trx, [deviceId]);
        await logAction(trx, caller, {
          ...entryOf(device, 'edit'),
          before: { maintenance: false },
          after: { maintenance: true, note: body.note.trim() },
        });
        return made;
      });
      events.publish(['device.details', 'device.state', 'device.alarms'], { id: deviceId });
      return { id };
    },

    /** Ends the work on a device. @throws Problem `maintenanceRunsNot` */
    async end(caller: Caller, deviceId: number, body: BodyOf<Endpoints['endMaintenance']>): Promise<void> {
      await db.transaction().execute(async (trx) => {
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
      });
      events.publish(['device.details', 'device.state', 'device.alarms'], { id: deviceId });
    },
  };
}

function workOf(caller: Caller, deviceId: number, note: string): NewMaintenance {
  return { deviceId, userId: caller.userId, userName: caller.userName, note: note.trim() };
}

async function onceRunning<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (uniqueViolation(error) === 'device_maintenances_running') throw new Problem('maintenanceRuns');
    throw error;
  }
}
