import type {
  AlarmRow,
  alarmEndpoints,
  BodyOf,
  MatchingRows,
  QueryOf,
  ResultOf,
  WithDates,
} from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../audit/index.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { notFound, Problem } from '../platform/http/problem.ts';
import { listOrder, MATCHING_ROWS_READ, matchingRows } from '../platform/http/serve/list-queries.ts';
import { type Events, inTransaction } from '../ports/events.ts';
import {
  type AlarmRecord,
  acknowledgeAlarm,
  findAlarms,
  insertComment,
  listAlarmsAfter,
  listComments,
  readAlarm,
  readCause,
  selectAlarms,
} from './alarms.store.ts';
import { nextAfter, positionOf } from './positions.ts';

type Endpoints = typeof alarmEndpoints;

export type AlarmsService = ReturnType<typeof alarmsService>;

/** Reads alarms and records work on them. Every change is recorded in the action log in the same transaction. */
export function alarmsService(parts: { db: Kysely<Database>; events: Events }) {
  const { db } = parts;
  return {
    async list(caller: Caller, query: QueryOf<Endpoints['listAlarms']>): Promise<ResultOf<Endpoints['listAlarms']>> {
      const { sort, after, limit, ...filters } = query;
      const order = listOrder(sort, '-raisedAt');
      const alarms = await listAlarmsAfter(caller.scope, db, filters, order, positionOf(after), limit);
      return { items: alarms.map(toAlarmRow), next: nextAfter(alarms, limit) };
    },

    /** All matching alarms, for selecting them. @throws {Problem} selectionTooLarge */
    async select(caller: Caller, query: QueryOf<Endpoints['selectAlarms']>): Promise<MatchingRows> {
      return matchingRows(await selectAlarms(caller.scope, db, query, MATCHING_ROWS_READ));
    },

    async read(caller: Caller, id: number): Promise<ResultOf<Endpoints['readAlarm']>> {
      const alarm = await readAlarm(caller.scope, db, id);
      if (!alarm) throw notFound('alarm');
      const [conversation, rule] = await Promise.all([listComments(db, id), readCause(db, id)]);
      return {
        ...toAlarmRow(alarm),
        rule,
        conversation,
      };
    },

    /** Acknowledges alarms one by one, each with its log entry. A second user finds the alarm acknowledged. */
    async acknowledge(
      caller: Caller,
      { ids, note }: BodyOf<Endpoints['acknowledgeAlarms']>,
    ): Promise<ResultOf<Endpoints['acknowledgeAlarms']>> {
      const alarms = await findAlarms(caller.scope, db, ids);
      let acknowledged = 0;
      for (const alarm of alarms) {
        const isFirst = await inTransaction(parts, async (trx, committed) => {
          const text = note?.trim() || null;
          if (!(await acknowledgeAlarm(trx, alarm.id, { ...caller, note: text }))) return false;
          await logAction(trx, caller, { ...entryOf(alarm), after: { acknowledged: true, note: text } });
          committed.publish('device.alarms', { id: alarm.deviceId });
          return true;
        });
        if (isFirst) acknowledged += 1;
      }
      return { acknowledged, already: alarms.length - acknowledged };
    },

    async comment(
      caller: Caller,
      id: number,
      { comment }: BodyOf<Endpoints['commentAlarm']>,
    ): Promise<ResultOf<Endpoints['commentAlarm']>> {
      const text = comment.trim();
      const alarm = await readAlarm(caller.scope, db, id);
      if (!alarm) throw notFound('alarm');
      if (text === '') throw new Problem('fieldRequired', { field: 'comment' });
      return await inTransaction(parts, async (trx, committed) => {
        const commentId = await insertComment(trx, id, caller, text);
        await logAction(trx, caller, { ...entryOf(alarm), after: { comment: text } });
        committed.publish('device.alarms', { id: alarm.deviceId });
        return { id: commentId };
      });
    },
  };
}

/** An alarm as it appears in API lists. */
export function toAlarmRow(alarm: AlarmRecord): WithDates<AlarmRow> {
  const { severity: _, micros: __, customerId: ___, ...row } = alarm;
  return row;
}

function entryOf(alarm: AlarmRecord) {
  return {
    operation: 'edit' as const,
    objectType: 'alarm' as const,
    objectId: String(alarm.id),
    objectName: `${alarm.code} · ${alarm.deviceName}`,
    customerId: alarm.customerId,
    siteId: alarm.siteId,
  };
}
