import { randomBytes } from 'node:crypto';
import type { Locale } from '@chargehand/contract';
import type {
  DocumentContent,
  IssueCause,
  IssuePriority,
  IssueRemedy,
  IssueStatus,
  IssueType,
} from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { addWatchers, storeTimes } from '../work/issue-state.ts';
import { insertIssue, type Origin, subjectOf } from '../work/new-issue.ts';

interface Worker {
  userId: number;
  userName: string;
}

/** What a user did to an issue of the past. */
export type PastIssueStep = { at: Date; by: Worker } & (
  | { kind: 'comment'; text: string; internal?: boolean }
  | { kind: 'start' | 'reopen' }
  | { kind: 'close'; cause: IssueCause; causeText: string; remedy: IssueRemedy; remedyText: string }
);

/** An issue of the past with its timeline. */
export interface PastIssue {
  origin: Origin;
  at: Date;
  /** null: somebody without an account reported it */
  by: Worker | null;
  title: string;
  text: string;
  type: IssueType;
  priority: IssuePriority;
  labels?: string[];
  assigneeId?: number;
  dueAt?: Date;
  /** how it was reported without an account */
  report?: { connector: number | null; locale: Locale; contact: string | null };
  /** in the order of time */
  steps: PastIssueStep[];
}

/** Adds issues in the order of time, so that their numbers grow with their age. */
export async function loadPastIssues(db: Kysely<Database>, issues: readonly PastIssue[]): Promise<void> {
  for (const issue of issues.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    await loadPastIssue(db, issue);
  }
}

async function loadPastIssue(db: Kysely<Database>, past: PastIssue): Promise<void> {
  const { at, by, title, type, priority, labels = [], assigneeId = null, dueAt = null, report, steps } = past;
  const subject = await subjectOf(db, past.origin);
  const values = {
    ...{ title, type, priority, labels, assigneeId, dueAt, body: contentOf(past.text) },
    occurredAt: subject.at ?? at,
  };
  const origin = report ? 'report' : Object.keys(past.origin)[0]?.replace(/Id$/, '');
  const { id } = await insertIssue(db, by ?? { userId: null, userName: '' }, subject, values, { origin }, at);
  await db.updateTable('issue_entries').set({ at }).where('issue_id', '=', id).execute();
  await setEvidenceTime(db, id, at);
  if (report) await insertReport(db, id, past, subject);
  for (const step of steps) await insertStep(db, id, step);
  const watchers = [...(by ? [by.userId] : []), ...steps.map((step) => step.by.userId)];
  await addWatchers(db, id, assigneeId === null ? watchers : [...watchers, assigneeId]);
  await db
    .updateTable('issues')
    .set({ created_at: at, updated_at: steps.at(-1)?.at ?? at, ...endOf(steps) })
    .where('id', '=', id)
    .execute();
  await storeTimes(db, { id, createdAt: at });
}

/** The time of the evidence. Values that are newer than the issue are no evidence of it. */
async function setEvidenceTime(db: Kysely<Database>, issueId: number, at: Date): Promise<void> {
  await sql`
    delete from issue_evidence
     where issue_id = ${issueId}
       and exists (select from jsonb_array_elements(situation -> 'readings') r
                    where (r ->> 'at')::timestamptz > ${at})`.execute(db);
  await db.updateTable('issue_evidence').set({ taken_at: at }).where('issue_id', '=', issueId).execute();
}

async function insertReport(
  db: Kysely<Database>,
  issueId: number,
  { report, type, text, at }: PastIssue,
  subject: Awaited<ReturnType<typeof subjectOf>>,
): Promise<void> {
  if (!report) return;
  const { connector, locale, contact } = report;
  await db
    .insertInto('issue_reports')
    .values({
      // Nobody has the links of these reports, so no link fits.
      ...{ sealed_follow_token: '', follow_token_hash: randomBytes(32) },
      ...{ issue_id: issueId, request_key: crypto.randomUUID(), created_at: at, connector, locale, contact, type },
      ...{ device_id: subject.deviceId, site_id: subject.siteId, site_name: subject.siteName },
      ...{ device_name: subject.deviceName, sn: subject.deviceSn ?? '', place: '', description: text },
      ...{ had_contact: contact !== null, notify: false, joined: false },
    })
    .execute();
}

const EVENTS = { start: 'started', close: 'closed', reopen: 'reopened' } as const;

async function insertStep(db: Kysely<Database>, issueId: number, step: PastIssueStep): Promise<void> {
  const { at, by, kind } = step;
  const written = kind === 'comment';
  await db
    .insertInto('issue_entries')
    .values({
      ...{ issue_id: issueId, at, user_id: by.userId, user_name: by.userName },
      ...{ event: written ? null : EVENTS[kind], internal: written && step.internal === true },
      body: written ? JSON.stringify(contentOf(step.text)) : null,
      data: kind === 'close' ? JSON.stringify(causeOf(step)) : written ? JSON.stringify({ toReports: true }) : null,
    })
    .execute();
}

function causeOf({ cause, causeText, remedy, remedyText }: PastIssueStep & { kind: 'close' }) {
  return { cause, causeText, remedy, remedyText };
}

/** The status after some steps, with the cause and the remedy of a closed issue. */
function endOf(steps: readonly PastIssueStep[]) {
  const last = steps.findLast(({ kind }) => kind !== 'comment');
  const status: IssueStatus =
    last === undefined ? 'open' : last.kind === 'close' ? 'closed' : last.kind === 'reopen' ? 'reopen' : 'pending';
  if (last?.kind !== 'close') return { status };
  const { cause, causeText, remedy, remedyText } = last;
  return { status, closed_at: last.at, cause, cause_text: causeText, remedy, remedy_text: remedyText };
}

function contentOf(text: string): DocumentContent {
  return { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] };
}
