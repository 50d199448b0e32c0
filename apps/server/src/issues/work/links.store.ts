import type { IssueLink } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** Links of other issues could close a circle at the same time: one link at a time, until the end of the transaction. */
export async function lockLinks(trx: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('issue links'))`.execute(trx);
}

/** Adds a link. Returns its ID. @throws unique violation when there is one of this kind */
export async function insertLink(
  trx: Kysely<Database>,
  { id, issueId, kind }: { id: number; issueId: number; kind: IssueLink },
): Promise<number> {
  const link = trx.insertInto('issue_links').values({ issue_id: id, other_id: issueId, kind }).returning('id');
  return (await link.executeTakeFirstOrThrow()).id;
}

/** Removes a link of an issue, from either end; null when there is none. */
export async function deleteLink(
  trx: Kysely<Database>,
  id: number,
  linkId: number,
): Promise<{ kind: IssueLink; otherId: number } | null> {
  const { rows } = await sql<{ kind: IssueLink; otherId: number }>`
    delete from issue_links where id = ${linkId} and ${id} in (issue_id, other_id)
    returning kind, case when issue_id = ${id} then other_id else issue_id end as "otherId"`.execute(trx);
  return rows[0] ?? null;
}

/** True when links of a kind lead from one issue to another. */
export async function leadsTo(trx: Kysely<Database>, kind: IssueLink, from: number, to: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with recursive reached as (
      select other_id as id from issue_links where issue_id = ${from} and kind = ${kind}
      union
      select l.other_id from issue_links l join reached r on l.issue_id = r.id where l.kind = ${kind}
    )
    select exists (select from reached where id = ${to}) as found`.execute(trx);
  return rows[0]?.found ?? false;
}
