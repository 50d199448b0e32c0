import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/**
 * Removes some contents of links that ended before a time and belong to no issue: parts of recordings, and activity.
 * @returns true when there may be more
 */
export async function deletePastContents(db: Kysely<Database>, before: Date, limit: number): Promise<boolean> {
  const past = sql`l.state = 'ended' and l.ended_at < ${before} and l.issue_id is null`;
  const parts = await sql`
    delete from link_recording_parts where (recording_id, number) in (
      select p.recording_id, p.number
        from links l join link_recordings r on r.link_id = l.id join link_recording_parts p on p.recording_id = r.id
       where ${past} limit ${limit})`.execute(db);
  const activity = await sql`
    delete from link_activity where (link_id, number) in (
      select a.link_id, a.number from links l join link_activity a on a.link_id = l.id
       where ${past} limit ${limit})`.execute(db);
  return Number(parts.numAffectedRows ?? 0) + Number(activity.numAffectedRows ?? 0) > 0;
}
