import type { AlarmLevel, DocumentContent, IssuePriority, IssueType } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { lockRequest } from '../../platform/database/request-lock.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound } from '../../platform/http/problem.ts';
import { takeEvidence } from '../evidence/evidence.service.ts';
import type { AnnouncedIssue } from './issue-notices.ts';
import { addEvent } from './issue-state.ts';
import { reminderValues } from './issue-values.ts';
import { OPEN_ROOT } from './open-root.ts';

/** What an issue is reported about. */
export type Origin =
  | { customerId: number }
  | { siteId: number }
  | { deviceId: number }
  | { alarmId: number }
  | { executionId: string };

/** The situation of the object that an issue is about. */
export interface Subject {
  customerId: number;
  customerName: string;
  siteId: number | null;
  siteName: string | null;
  deviceId: number | null;
  deviceName: string | null;
  deviceSn: string | null;
  deviceModel: string | null;
  softVersion: string | null;
  alarmId: number | null;
  alarmCode: string | null;
  level: AlarmLevel | null;
  executionId: string | null;
  at: Date | null;
}

/** What is entered about a new issue, checked. */
export interface NewIssueValues {
  title: string;
  type: IssueType;
  priority: IssuePriority;
  body: DocumentContent | null;
  labels: string[];
  occurredAt: Date;
  assigneeId: number | null;
  dueAt: Date | null;
  requestKey?: string | undefined;
}

/** Stores an issue with its number, its first event and the situation of its device. */
export async function insertIssue(
  trx: Kysely<Database>,
  by: Pick<Caller, 'userId' | 'userName'> | { userId: null; userName: '' },
  subject: Subject,
  values: NewIssueValues,
  created: Record<string, unknown>,
  now: Date,
): Promise<AnnouncedIssue> {
  const { customerId, siteId, deviceId } = subject;
  const { title, type, priority, body, labels, occurredAt, assigneeId, dueAt, requestKey = null } = values;
  const number = await nextNumber(trx, customerId);
  const { id } = await trx
    .insertInto('issues')
    .values({
      ...{ customer_id: customerId, site_id: siteId, number, title, type, priority },
      ...{ body: body && JSON.stringify(body), labels, occurred_at: occurredAt },
      ...{ created_by: by.userId, created_by_name: by.userName, request_key: requestKey },
      ...{ assignee_id: assigneeId, due_at: dueAt, ...reminderValues(dueAt) },
      ...{ customer_name: subject.customerName, site_name: subject.siteName },
      ...{ device_id: deviceId, device_name: subject.deviceName, device_sn: subject.deviceSn },
      ...{ device_model: subject.deviceModel, soft_version: subject.softVersion },
      ...{ alarm_id: subject.alarmId, alarm_code: subject.alarmCode, execution_id: subject.executionId },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const issue = { id, number, title, customerId, siteId, deviceId };
  await addEvent(trx, by, id, 'created', created);
  await takeEvidence(trx, issue, now);
  return issue;
}

/** Stores the description of an issue again, with the files that the issue has got. */
export async function storeBody(trx: Kysely<Database>, id: number, body: DocumentContent): Promise<void> {
  await trx
    .updateTable('issues')
    .set({ body: JSON.stringify(body) })
    .where('id', '=', id)
    .execute();
}

/** What an issue is about, as it is now. @throws {Problem} notFound if it was deleted meanwhile */
export async function subjectOf(trx: Kysely<Database>, origin: Origin): Promise<Subject> {
  const none = sql`null::bigint as "alarmId", null as "alarmCode", null as level, null::uuid as "executionId",
    null::timestamptz as at`;
  const device = sql`
    d.customer_id as "customerId", c.name as "customerName", d.site_id as "siteId", s.name as "siteName",
    d.id as "deviceId", d.name as "deviceName", d.sn as "deviceSn", m.name as "deviceModel",
    d.soft_version as "softVersion"`;
  const places = sql`
    join sites s on s.id = d.site_id join customers c on c.id = d.customer_id
    left join device_models m on m.id = d.device_model_id`;
  const noDevice = sql`null::int as "deviceId", null as "deviceName", null as "deviceSn", null as "deviceModel",
    null as "softVersion"`;
  const present = sql`d.customer_id = a.customer_id and d.site_id = a.site_id`;
  const query =
    'customerId' in origin
      ? sql<Subject>`
          select c.id as "customerId", c.name as "customerName", null::int as "siteId", null as "siteName", ${noDevice},
                 ${none} from customers c where c.id = ${origin.customerId}`
      : 'siteId' in origin
        ? sql<Subject>`
            select c.id as "customerId", c.name as "customerName", s.id as "siteId", s.name as "siteName", ${noDevice},
                   ${none} from sites s join customers c on c.id = s.customer_id where s.id = ${origin.siteId}`
        : 'deviceId' in origin
          ? sql<Subject>`select ${device}, ${none} from devices d ${places} where d.id = ${origin.deviceId}`
          : 'alarmId' in origin
            ? // An alarm belongs to where it was raised. If its device has moved, its name is one of another place.
              sql<Subject>`
                select a.customer_id as "customerId", c.name as "customerName", a.site_id as "siteId",
                       s.name as "siteName", d.id as "deviceId", d.sn as "deviceSn", m.name as "deviceModel",
                       case when ${present} then d.name else d.sn end as "deviceName",
                       case when ${present} then d.soft_version end as "softVersion", a.id as "alarmId",
                       a.code as "alarmCode", a.level, null::uuid as "executionId", a.raised_at as at
                  from alarms a join devices d on d.id = a.device_id join sites s on s.id = a.site_id
                  join customers c on c.id = a.customer_id left join device_models m on m.id = d.device_model_id
                 where a.id = ${origin.alarmId}`
            : sql<Subject>`
                select ${device}, null::bigint as "alarmId", null as "alarmCode", null as level,
                       e.id as "executionId", e.queued_at as at
                  from executions e join devices d on d.id = e.device_id ${places}
                 where e.id = ${origin.executionId}`;
  const { rows } = await query.execute(trx);
  const [subject] = rows;
  if (!subject) throw notFound('deviceId' in origin ? 'device' : 'siteId' in origin ? 'site' : 'customer');
  return subject;
}

/**
 * The open issue of an alarm, or the one that it was merged into, if the caller sees it. Reports of the same alarm wait
 * for each other, so that it gets only one.
 */
export async function openIssueOf(
  trx: Kysely<Database>,
  { scope }: Pick<Caller, 'scope'>,
  alarmId: number,
): Promise<{ id: number; number: number } | null> {
  await sql`select pg_advisory_xact_lock(hashtext('issue of alarm'), ${alarmId}::int)`.execute(trx);
  const { rows } = await sql<{ id: number; number: number }>`
    select root.id, root.number from issues i cross join ${OPEN_ROOT}
     where i.alarm_id = ${alarmId} and ${withinScope(scope, 'root.customer_id', 'root.site_id')}
     order by i.merged_into is not null, i.id limit 1`.execute(trx);
  return rows[0] ?? null;
}

/** The issue that a user created with a key. Requests with the same key wait for each other. */
export async function createdWith(
  trx: Kysely<Database>,
  { userId }: Pick<Caller, 'userId'>,
  requestKey: string,
): Promise<{ id: number; number: number } | undefined> {
  await lockRequest(trx, requestKey);
  return await trx
    .selectFrom('issues')
    .select(['id', 'number'])
    .where('created_by', '=', userId)
    .where('request_key', '=', requestKey)
    .executeTakeFirst();
}

/** The next number of a customer's issues. Its row stays locked, so that a number is never left out or given twice. */
async function nextNumber(trx: Kysely<Database>, customerId: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    insert into issue_numbers (customer_id, last) values (${customerId}, 1)
    on conflict (customer_id) do update set last = issue_numbers.last + 1 returning last`.execute(trx);
  return rows[0]?.last ?? 1;
}
