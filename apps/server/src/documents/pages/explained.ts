import { DOCUMENT_TYPES } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { ofSeenCustomers } from '../../platform/database/scope.ts';
import type { Reader } from './pages.store.ts';

/**
 * The alarm codes among these that an enabled document explains, of the platform or of a customer that the caller sees,
 * even if its level keeps it from them.
 */
export async function explainedCodes(
  db: Kysely<Database>,
  reader: Pick<Reader, 'scope' | 'customerId'>,
  codes: readonly string[],
): Promise<Set<string>> {
  if (codes.length === 0) return new Set();
  const rows = db
    .selectFrom('document_bindings as b')
    .innerJoin('documents as d', 'd.id', 'b.document_id')
    .select('b.key')
    .distinct()
    .where('b.type', '=', DOCUMENT_TYPES.alarm)
    .where('b.key', 'in', codes)
    .where('d.enabled', '=', true)
    .where(ofSeenCustomers(reader, 'd.customer_id'));
  return new Set((await rows.execute()).map(({ key }) => key));
}
