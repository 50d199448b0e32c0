import { sweepMessages } from '../messages/sweep-messages.ts';
import type { TestServer } from '../server.ts';

/** Writes the planned mails about messages to the outbox now, instead of when they are due. */
export async function writePlannedMails(server: Pick<TestServer, 'sweep' | 'database'>): Promise<void> {
  await sweepMessages(server);
  await server.database.pool.query(
    `update message_mails set due_at = now() - interval '1 ms' where written_at is null`,
  );
  await sweepMessages(server);
}
