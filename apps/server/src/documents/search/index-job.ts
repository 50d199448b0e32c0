import { storedContent } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { ScheduledJob } from '../../platform/work/scheduled-job.ts';
import { storeSections } from './sections.ts';

const INTERVAL_MS = 60_000;

/** Adds texts to the search index that an earlier release indexed in another way, one document after the other. */
export function indexJob({ db, clock, log }: { db: Kysely<Database>; clock: Clock; log: Log }): ScheduledJob {
  const work = async (signal: AbortSignal) => {
    while (!signal.aborted && (await indexNext(db)));
  };
  return clock.repeat(work, {
    job: 'documentIndex',
    everyMs: INTERVAL_MS,
    log,
    failed: 'documents could not be indexed for the search; trying again shortly',
  });
}

/** Indexes the texts of one document again. @returns false when there is none left */
async function indexNext(db: Kysely<Database>): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    // Authors who publish hold this lock, too: their documents wait for the next round.
    const { rows } = await sql<{ id: number }>`
      select d.id from document_texts t join documents d on d.id = t.document_id
       where not t.indexed limit 1 for update of d skip locked`.execute(trx);
    if (rows.length === 0) return false;
    const texts = await trx
      .selectFrom('document_texts')
      .select(['document_id as id', 'locale', 'title', 'description', 'body'])
      .where('document_id', '=', rows[0]!.id)
      .where('indexed', '=', false)
      .execute();
    await storeSections(
      trx,
      texts.map((text) => ({ ...text, body: storedContent(text.body) })),
    );
    return true;
  });
}
