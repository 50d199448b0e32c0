import type { alarmEndpoints, BodyOf, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../audit/index.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { notFound, Problem } from '../platform/http/problem.ts';
import { deleteAlarmCode, listAlarmCodes, lockModel, saveAlarmCode } from './alarm-codes.store.ts';

type Endpoints = typeof alarmEndpoints;

/** The names of the alarm codes of a device model. */
export async function readAlarmCodes(
  db: Kysely<Database>,
  modelId: number,
): Promise<ResultOf<Endpoints['listAlarmCodes']>> {
  if ((await lockModel(db, modelId)) === null) throw notFound('deviceModel');
  return { items: await listAlarmCodes(db, modelId) };
}

/** Sets the name and level of a code for a model, from the next report on. */
export async function updateAlarmCode(
  db: Kysely<Database>,
  caller: Caller,
  modelId: number,
  entered: BodyOf<Endpoints['saveAlarmCode']>,
): Promise<ResultOf<Endpoints['saveAlarmCode']>> {
  const values = {
    code: required(entered.code, 'code'),
    name_en: required(entered.nameEn, 'nameEn'),
    name_zh: required(entered.nameZh, 'nameZh'),
    kind: entered.kind,
    level: entered.level,
  };
  return await db.transaction().execute(async (trx) => {
    const model = await lockModel(trx, modelId);
    if (model === null) throw notFound('deviceModel');
    const id = await saveAlarmCode(trx, modelId, values);
    await logAction(trx, caller, { ...entryOf(modelId, model), after: { alarmCode: values } });
    return { id };
  });
}

/** Removes the name of a code for a model, so that the one for all models applies. */
export async function removeAlarmCode(db: Kysely<Database>, caller: Caller, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const gone = await deleteAlarmCode(trx, id);
    if (gone === null) throw notFound('alarmCode');
    await logAction(trx, caller, { ...entryOf(gone.modelId, gone.model), before: { alarmCode: gone.code } });
  });
}

function required(text: string, field: string): string {
  const value = text.trim();
  if (value === '') throw new Problem('fieldRequired', { field });
  return value;
}

function entryOf(modelId: number, name: string) {
  return {
    operation: 'edit' as const,
    objectType: 'deviceModel' as const,
    objectId: String(modelId),
    objectName: name,
    customerId: null,
    siteId: null,
  };
}
