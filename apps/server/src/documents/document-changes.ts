import type { DocumentAccess } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Events } from '../ports/events.ts';
import { accessOf } from './pages/pages.store.ts';

/**
 * Publishes that a document changed, to those who could read it before or can read it now. Call it in the transaction of
 * the change.
 * @param before who could read it before; null for a new one
 */
export async function publishDocument(
  trx: Kysely<Database>,
  committed: Events,
  id: number,
  before: DocumentAccess | null,
): Promise<void> {
  // What else a page has must not be on the bus.
  const documents = [before, await accessOf(trx, id)]
    .filter((access) => access !== null)
    .map(({ customerId, readLevel, writeLevel, enabled }) => ({ customerId, readLevel, writeLevel, enabled }));
  committed.publish('documents.changed', { id }, { documents });
}

/** Publishes that any number of documents changed. */
export function publishDocuments(committed: Events): void {
  committed.publish('documents.changed', { id: 0 }, { documents: 'any' });
}
