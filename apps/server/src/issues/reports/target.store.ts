import type { ReportAlarm, ReportIssue } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { OPEN_ROOT } from '../work/open-root.ts';

/** How many alarms and issues of a device a report is compared with. */
const COMPARED = 100;

/**
 * Reports of one device, of one site, and those without a place wait for each other, so that two at the same time do not
 * create two issues, and all of them count for the limits.
 */
export async function lockPlace(
  trx: Kysely<Database>,
  { deviceId, siteId }: { deviceId: number | null; siteId: number | null },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('reports of site'), ${siteId ?? 0}::int)`.execute(trx);
  if (deviceId === null) return;
  // Also of its former site, if it was moved a moment ago.
  await sql`select pg_advisory_xact_lock(hashtext('report of device'), ${deviceId}::int)`.execute(trx);
}

/**
 * What is known to be wrong with a device at its place: open alarms; open issues, newest first, and after them those that
 * were merged into open ones, which then stand for them.
 */
export async function listKnown(
  trx: Kysely<Database>,
  { deviceId, customerId, siteId }: { deviceId: number; customerId: number; siteId: number | null },
): Promise<{ alarms: ReportAlarm[]; issues: ReportIssue[] }> {
  const alarms = await sql<ReportAlarm>`
    select a.id, a.connector, a.level, a.raised_at as "raisedAt",
           (select root.id from issues i cross join ${OPEN_ROOT} where i.alarm_id = a.id
             order by i.merged_into is not null, i.id limit 1) as "issueId"
      from alarms a
     where a.device_id = ${deviceId} and a.customer_id = ${customerId} and a.site_id is not distinct from ${siteId}::int
       and a.cleared_at is null and not a.suppressed
     order by a.raised_at desc limit ${COMPARED}`.execute(trx);
  const issues = await sql<ReportIssue>`
    select root.id, i.type,
           array(select distinct r.connector from issue_reports r
                  where r.issue_id = i.id and r.connector is not null) as connectors
      from issues i cross join ${OPEN_ROOT}
     where i.device_id = ${deviceId} and i.customer_id = ${customerId}
       and i.site_id is not distinct from ${siteId}::int and (i.status <> 'closed' or i.merged_into is not null)
     order by i.merged_into is not null, i.created_at desc, i.id desc limit ${COMPARED}`.execute(trx);
  return { alarms: alarms.rows, issues: issues.rows };
}

/** The users whom a site notifies. */
export async function listSiteReceivers(trx: Kysely<Database>, siteId: number | null): Promise<number[]> {
  if (siteId === null) return [];
  const { rows } = await sql<{ id: number }>`
    select user_id as id from site_receivers where site_id = ${siteId} order by user_id`.execute(trx);
  return rows.map(({ id }) => id);
}
