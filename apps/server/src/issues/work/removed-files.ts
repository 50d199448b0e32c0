import { type DocumentContent, filesOf } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { endUses } from '../../attachments/index.ts';
import type { Database } from '../../platform/database/schema.ts';

/** Takes the files that an edit removed from a text back from the readers of the issue, unless another text shows them. */
export async function endRemovedFiles(
  trx: Kysely<Database>,
  issueId: number,
  before: DocumentContent | null,
  after: DocumentContent,
): Promise<void> {
  const kept = new Set(filesOf(after));
  const removed = (before ? filesOf(before) : []).filter((id) => !kept.has(id));
  if (removed.length === 0) return;
  const { rows } = await sql<{ id: number }>`
    select gone.id from unnest(${removed}::bigint[]) as gone (id)
     where gone.id::text not in (
       select file #>> '{}' from issues i, jsonb_path_query(i.body, '$.**.attrs.file') file where i.id = ${issueId}
       union all
       select file #>> '{}' from issue_entries e, jsonb_path_query(e.body, '$.**.attrs.file') file
        where e.issue_id = ${issueId} and e.body is not null)`.execute(trx);
  const ids = rows.map(({ id }) => id);
  await endUses(trx, ['issue', issueId], ids);
}
