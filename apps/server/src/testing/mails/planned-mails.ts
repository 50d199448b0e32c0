import type { TestServer } from '../server.ts';

/** Writes the planned mails about messages to the outbox now, instead of when they are due. */
export async function writePlannedMails(server: Pick<TestServer, 'sweep' | 'database'>): Promise<void> {
  await server.sweep();
  await server.database.pool.query('update message_mails set due_at = now() where written_at is null');
  await server.sweep();
}
