import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

export interface ReportUploadRecord {
  id: string;
  reportId: number;
  message: number;
  name: string;
  size: number;
  received: number;
  done: boolean;
}

const COLUMNS = sql`id, report_id as "reportId", message, name, size, received, done`;

export async function findReportUpload(db: Kysely<Database>, id: string): Promise<ReportUploadRecord | null> {
  const { rows } = await sql<ReportUploadRecord>`
    select ${COLUMNS} from issue_report_uploads where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The names of the files of a message; its report is locked, so that two calls do not add one too many. */
export async function lockMessageFiles(trx: Kysely<Database>, reportId: number, message: number): Promise<string[]> {
  await sql`select from issue_reports where id = ${reportId} for update`.execute(trx);
  const { rows } = await sql<{ name: string }>`
    select name from issue_report_uploads where report_id = ${reportId} and message = ${message}`.execute(trx);
  return rows.map(({ name }) => name);
}

/** The bytes of the files of one report. */
export async function bytesOfReport(trx: Kysely<Database>, reportId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::bigint as bytes from issue_report_uploads where report_id = ${reportId}`.execute(
    trx,
  );
  return rows[0]?.bytes ?? 0;
}

/** The bytes of the files of a customer's reports that are announced and not complete. */
export async function announcedBytes(trx: Kysely<Database>, customerId: number | null): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(u.size), 0)::bigint as bytes
      from issue_report_uploads u join issue_reports r on r.id = u.report_id join issues i on i.id = r.issue_id
     where not u.done and i.customer_id = ${customerId}`.execute(trx);
  return rows[0]?.bytes ?? 0;
}

export async function insertReportUpload(
  trx: Kysely<Database>,
  { id, reportId, message, name, size }: Omit<ReportUploadRecord, 'received' | 'done'>,
): Promise<void> {
  await trx.insertInto('issue_report_uploads').values({ id, report_id: reportId, message, name, size }).execute();
}

/** Records a stored part. Returns false if the upload is no longer at its offset. */
export async function addReportPart(
  db: Kysely<Database>,
  id: string,
  { offset, bytes }: { offset: number; bytes: number },
): Promise<boolean> {
  const { rows } = await sql`
    update issue_report_uploads set received = received + ${bytes}, active_at = now()
     where id = ${id} and received = ${offset} and not done returning id`.execute(db);
  return rows.length > 0;
}

/** Marks an upload as complete. Returns false if it was complete already. */
export async function finishReportUpload(trx: Kysely<Database>, id: string, name: string): Promise<boolean> {
  const { rows } = await sql`
    update issue_report_uploads set done = true, name = ${name}, active_at = now()
     where id = ${id} and not done returning id`.execute(trx);
  return rows.length > 0;
}

export async function deleteReportUpload(db: Kysely<Database>, id: string): Promise<void> {
  await sql`delete from issue_report_uploads where id = ${id} and not done`.execute(db);
}

/** Incomplete uploads without progress since a time, and those that were not started since another one. */
export async function silentReportUploads(
  db: Kysely<Database>,
  { before, startedBefore }: { before: Date; startedBefore: Date },
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from issue_report_uploads
     where not done and (active_at < ${before} or (received = 0 and active_at < ${startedBefore}))
     order by active_at limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Those of some uploads that are not complete. */
export async function openReportUploads(db: Kysely<Database>, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from issue_report_uploads where id = any(${[...ids]}::uuid[]) and not done`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Adds a node to the message of a report: to its entry of the timeline, or to the description of its issue. */
export async function appendToMessage(
  trx: Kysely<Database>,
  report: { id: number; issueId: number; rootId: number; joined: boolean },
  message: number,
  node: object,
): Promise<void> {
  const body = sql`jsonb_set(body, '{content}', coalesce(body -> 'content', '[]') || ${JSON.stringify(node)}::jsonb)`;
  if (message === 0 && !report.joined) {
    await sql`update issues set body = ${body}, updated_at = clock_timestamp() where id = ${report.issueId}`.execute(
      trx,
    );
    return;
  }
  await sql`
    update issue_entries set body = ${body}
     where issue_id in (${report.issueId}, ${report.rootId}) and event is null
       and (data ->> 'reportId')::int = ${report.id} and (data ->> 'message')::int = ${message}`.execute(trx);
  await sql`update issues set updated_at = clock_timestamp() where id = ${report.rootId}`.execute(trx);
}
