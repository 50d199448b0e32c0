import type { LoggedObject } from '@chargehand/contract';
import type { Bilingual } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { logAction } from '../audit/index.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { Problem } from '../platform/http/problem.ts';
import type { Operation } from '../ports/action-log.ts';

/** The lock for changes of models. The database takes the same one when it checks for circles (090_models.sql). */
const MODELS_LOCK = 4_213_772_090;

/**
 * The data model and device models belong to the platform, and one change can affect many models, so changes run one
 * after the other. Locks until the end of the transaction.
 */
export async function lockModels(trx: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${MODELS_LOCK})`.execute(trx);
}

/** A text without surrounding blanks. @throws Problem `fieldRequired` when nothing is left */
export function entered(text: string, field: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new Problem('fieldRequired', { field });
  return trimmed;
}

/** A name in both languages without surrounding blanks. @throws Problem `fieldRequired` */
export function enteredNames(name: Bilingual): Bilingual {
  return { en: entered(name.en, 'name'), zh: entered(name.zh, 'name') };
}

type Values = Record<string, unknown>;

/** The differences between two states for the action log; null when there are none. */
export function difference(before: Values, after: Values): { before: Values; after: Values } | null {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  if (changed.length === 0) return null;
  const only = (values: Values) =>
    Object.fromEntries(changed.filter((key) => values[key] !== undefined).map((key) => [key, values[key]]));
  return { before: only(before), after: only(after) };
}

/** An entry of the action log about an object of the platform, without customer and site. */
export async function logPlatformAction(
  trx: Kysely<Database>,
  caller: Caller,
  operation: Operation,
  object: { type: LoggedObject; id: number; name: string },
  change: { before?: Values; after?: Values } = {},
): Promise<void> {
  await logAction(trx, caller, {
    operation,
    objectType: object.type,
    objectId: String(object.id),
    objectName: object.name,
    customerId: null,
    siteId: null,
    ...change,
  });
}
