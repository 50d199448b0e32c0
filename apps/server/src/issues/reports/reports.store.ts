import type { IssueReport, Locale, WithDates } from '@chargehand/contract';
import type { DocumentContent, IssueRemedy, IssueStatus, IssueType, Scope } from '@chargehand/domain';
import { type Insertable, type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { tokenHash } from '../../platform/token-hash.ts';

/** Rows that are read at once when they are encrypted. */
const SEALED_AT_ONCE = 500;

/** The token of the report that was sent with a key; null when there is none. */
export async function findSent(db: Kysely<Database>, requestKey: string, box: SecretBox): Promise<string | null> {
  const found = await db
    .selectFrom('issue_reports')
    .select('sealed_follow_token')
    .where('request_key', '=', requestKey)
    .executeTakeFirst();
  return found ? box.open(found.sealed_follow_token) : null;
}

/** Encrypts the links of reporters that an earlier version stored as plain text. */
export async function sealPlainReports(db: Kysely<Database>, box: SecretBox): Promise<void> {
  const plain = db.selectFrom('issue_reports').select(['id', 'sealed_follow_token as token']);
  for (;;) {
    const rows = await plain.where('follow_token_hash', 'is', null).limit(SEALED_AT_ONCE).execute();
    if (rows.length === 0) return;
    for (const { id, token } of rows) {
      const sealed = { sealed_follow_token: box.close(token), follow_token_hash: tokenHash(token) };
      // Another process may have encrypted it meanwhile.
      const still = db.updateTable('issue_reports').set(sealed).where('id', '=', id);
      await still.where('follow_token_hash', 'is', null).execute();
    }
  }
}

/** How many reports arrived in the last hour about a device, a site, and without a place; up to a limit. */
export async function countRecent(
  db: Kysely<Database>,
  { deviceId, siteId }: { deviceId: number | null; siteId: number | null },
): Promise<{ device: number; site: number; unplaced: number }> {
  const since = sql`created_at > now() - interval '1 hour'`;
  const { rows } = await sql<{ device: number; site: number; unplaced: number }>`
    select (select count(*) from issue_reports where device_id = ${deviceId}::int and ${since})::int as device,
           (select count(*) from issue_reports where site_id = ${siteId}::int and ${since})::int as site,
           ${
             siteId === null
               ? sql`(select count(*) from issue_reports where site_id is null and ${since})::int`
               : sql`0`
           } as unplaced`.execute(db);
  return rows[0] ?? { device: 0, site: 0, unplaced: 0 };
}

/** A report with the issue that its reporter follows: the one that the issue was merged into. */
export interface FollowedRecord {
  id: number;
  /** where it was added */
  issueId: number;
  /** where it is worked on */
  rootId: number;
  customerId: number;
  siteId: number | null;
  key: string;
  title: string;
  deviceId: number | null;
  createdAt: Date;
  issueCreatedAt: Date;
  siteName: string | null;
  deviceName: string | null;
  connector: number | null;
  sn: string;
  place: string;
  type: IssueType;
  description: string;
  contact: string | null;
  notify: boolean;
  joined: boolean;
  replies: number;
  status: IssueStatus;
  remedy: IssueRemedy | null;
  closedAt: Date | null;
}

/** The report of a link; null when there is none. */
export async function findFollowed(db: Kysely<Database>, token: string): Promise<FollowedRecord | null> {
  const { rows } = await sql<FollowedRecord>`
    with recursive up as (
      select i.id, i.merged_into, 0 as depth from issue_reports r join issues i on i.id = r.issue_id
       where r.follow_token_hash = ${tokenHash(token)}
      union all
      select i.id, i.merged_into, up.depth + 1 from up join issues i on i.id = up.merged_into where up.depth < 50
    )
    select r.id, r.issue_id as "issueId", i.id as "rootId", i.customer_id as "customerId", i.site_id as "siteId",
           issue_key(i.customer_id, i.number) as key, i.title, i.device_id as "deviceId", r.created_at as "createdAt",
           i.created_at as "issueCreatedAt", r.site_name as "siteName", r.device_name as "deviceName", r.connector,
           r.sn, r.place, r.type, r.description, r.contact, r.notify, r.joined, r.replies, i.status, i.remedy,
           i.closed_at as "closedAt"
      from issue_reports r
      join issues i on i.id = (select id from up order by depth desc limit 1)
     where r.follow_token_hash = ${tokenHash(token)}`.execute(db);
  return rows[0] ?? null;
}

export interface ReportEntry {
  id: number;
  at: Date;
  byReporter: boolean;
  /** of the messages of the reporter */
  message: number | null;
  body: DocumentContent;
}

/**
 * The conversation of a report: what its reporter wrote after the report itself, and what users answered this reporter.
 * Older answers have no addressee (`toReports`): all reporters at that time read them.
 */
export async function listConversation(
  db: Kysely<Database>,
  report: Pick<FollowedRecord, 'id' | 'issueId' | 'rootId' | 'createdAt'>,
  limit: number,
): Promise<ReportEntry[]> {
  // An issue that theirs was merged into may have answers that were written for others before.
  const { rows } = await sql<ReportEntry>`
    with recursive up as (
      select i.id, i.merged_into, 0 as depth from issues i where i.id = ${report.issueId}
      union all
      select i.id, i.merged_into, up.depth + 1 from up join issues i on i.id = up.merged_into where up.depth < 50
    ), joined as (
      select max(e.at) as at from issue_entries e
       where e.event = 'merged' and e.issue_id in (select id from up where merged_into is not null)
    )
    select * from (
      select e.id, e.at, coalesce(e.data ? 'reportId', false) as "byReporter", (e.data ->> 'message')::int as message,
             e.body
        from issue_entries e
       where e.issue_id in (${report.issueId}, ${report.rootId}) and e.event is null
         and case when e.data ? 'reportId'
               then (e.data ->> 'reportId')::int = ${report.id} and (e.data ->> 'message')::int > 0
               else not e.internal and e.user_id is not null
                 and ((e.data ->> 'toReportId')::int = ${report.id}
                      or e.data ? 'toReports' and e.at >= ${report.createdAt}
                         and (e.issue_id = ${report.issueId} or e.at >= (select at from joined))) end
       order by e.id desc limit ${limit}) latest
     order by id`.execute(db);
  return rows;
}

/** The photos and videos of a report that have arrived, by message. */
export async function listArrivedFiles(
  db: Kysely<Database>,
  reportId: number,
): Promise<{ message: number; name: string }[]> {
  return await db
    .selectFrom('issue_report_uploads')
    .select(['message', 'name'])
    .where('report_id', '=', reportId)
    .where('done', '=', true)
    .orderBy('active_at')
    .limit(500)
    .execute();
}

/** The reports of an issue and of those merged into it that a caller sees, oldest first. */
export async function listReports(
  scope: Scope,
  db: Kysely<Database>,
  issueId: number,
  mayEdit: boolean,
): Promise<WithDates<IssueReport>[]> {
  const { rows } = await sql<Omit<WithDates<IssueReport>, 'at'> & { at: Date }>`
    with recursive merged as (
      select ${issueId}::int as id union
      select i.id from issues i join merged m on i.merged_into = m.id
       where ${withinScope(scope, 'i.customer_id', 'i.site_id')}
    )
    select r.id, r.created_at as at, r.locale, r.connector, r.sn, r.place, r.description, r.joined,
           ${mayEdit ? sql`r.contact` : sql`null`} as contact, r.contact is not null as "hasContact", r.notify,
           (select count(*) from issue_report_uploads u where u.report_id = r.id and u.done)::int as files,
           (select count(*) from issue_report_uploads u where u.report_id = r.id)::int as "announcedFiles"
      from issue_reports r where r.issue_id in (select id from merged) order by r.id limit 50`.execute(db);
  return rows;
}

/** Reporters of an issue and of those merged into it who want mails, or one of them. */
export async function listReporters(
  db: Kysely<Database>,
  issueId: number,
  box: SecretBox,
  reportId?: number,
): Promise<{ token: string; contact: string; locale: Locale; place: string }[]> {
  const { rows } = await sql<{ token: string; contact: string; locale: Locale; place: string }>`
    with recursive merged as (
      select ${issueId}::int as id union select i.id from issues i join merged m on i.merged_into = m.id
    )
    select r.sealed_follow_token as token, r.contact, r.locale,
           coalesce(r.device_name, r.site_name, nullif(r.sn, ''), r.place) as place
      from issue_reports r
     where r.issue_id in (select id from merged) and r.notify and position('@' in r.contact) > 0
       and ${reportId === undefined ? sql`true` : sql`r.id = ${reportId}`}
     order by r.id limit 100`.execute(db);
  return rows.map((row) => ({ ...row, token: box.open(row.token) }));
}

/** Turns mails to the reporter of a report on or off. */
export async function storeNotify(db: Kysely<Database>, id: number, notify: boolean): Promise<void> {
  await db.updateTable('issue_reports').set({ notify }).where('id', '=', id).execute();
}

/** Deletes the contacts of reporters whose issues were closed before a time. @returns how many */
export async function deleteContacts(db: Kysely<Database>, closedBefore: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update issue_reports r set contact = null, notify = false
      from issues i
     where r.contact is not null and i.id = r.issue_id and i.status = 'closed' and i.closed_at < ${closedBefore}
    `.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Locks a report and the issue where it is worked on. */
export async function lockReport(
  trx: Kysely<Database>,
  { id, rootId }: Pick<FollowedRecord, 'id' | 'rootId'>,
): Promise<void> {
  await sql`select from issues where id = ${rootId} for no key update`.execute(trx);
  await sql`select from issue_reports where id = ${id} for update`.execute(trx);
}

/** Stores the key of a reply. Returns false when it is stored already. */
export async function insertReply(trx: Kysely<Database>, reportId: number, requestKey: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('issue_report_replies')
    .values({ report_id: reportId, request_key: requestKey })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** Stores how many replies a report has. */
export async function storeReplyCount(trx: Kysely<Database>, id: number, replies: number): Promise<void> {
  await trx.updateTable('issue_reports').set({ replies }).where('id', '=', id).execute();
}

/** Stores a report. Returns its ID. */
export async function insertReport(
  trx: Kysely<Database>,
  values: Insertable<Database['issue_reports']>,
): Promise<number> {
  return (await trx.insertInto('issue_reports').values(values).returning('id').executeTakeFirstOrThrow()).id;
}
