import { DOCUMENT_TYPES } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** The alarm codes among these that an enabled document explains, even if the caller may not read it. */
export async function explainedCodes(db: Kysely<Database>, codes: readonly string[]): Promise<Set<string>> {
  if (codes.length === 0) return new Set();
  const rows = db
    .selectFrom('document_bindings as b')
    .innerJoin('documents as d', 'd.id', 'b.document_id')
    .select('b.key')
    .distinct()
    .where('b.type', '=', DOCUMENT_TYPES.alarm)
    .where('b.key', 'in', codes)
    .where('d.enabled', '=', true);
  return new Set((await rows.execute()).map(({ key }) => key));
}
