import type { ExecutionReason, ExecutionState, Level, LinkEnd, LinkKind, LinkState, Scope } from '@chargehand/domain';
import { type Insertable, type Kysely, type SqlBool, sql, type Updateable } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { withinScope } from '../platform/database/scope.ts';

export interface LinkRecord {
  id: number;
  kind: LinkKind;
  deviceId: number | null;
  deviceSn: string;
  deviceName: string;
  customerId: number;
  siteId: number | null;
  issueId: number | null;
  port: number;
  reason: string;
  minutes: number;
  requestedBy: number | null;
  requestedByName: string;
  requestedAt: Date;
  until: Date;
  approvalUntil: Date | null;
  approvedByName: string | null;
  state: LinkState;
  end: LinkEnd | null;
  endDetail: string | null;
  endedByName: string | null;
  openedAt: Date | null;
  endedAt: Date | null;
  startExecution: string | null;
  ticketHash: Buffer | null;
  ticketUntil: Date | null;
  ticketUsedAt: Date | null;
  address: string | null;
  /** the user of the device who accepts the key of the link */
  shellUser: string | null;
  bytesIn: number;
  bytesOut: number;
  /** of its terminals */
  recordings: number;
}

const COLUMNS = sql`
  l.id, l.kind, l.device_id as "deviceId", l.device_sn as "deviceSn", l.device_name as "deviceName",
  l.customer_id as "customerId", l.site_id as "siteId", l.issue_id as "issueId", l.port, l.reason, l.minutes,
  l.requested_by as "requestedBy", l.requested_by_name as "requestedByName", l.requested_at as "requestedAt", l.until,
  l.approval_until as "approvalUntil", l.approved_by_name as "approvedByName", l.state, l.end_reason as "end",
  l.end_detail as "endDetail", l.ended_by_name as "endedByName", l.opened_at as "openedAt", l.ended_at as "endedAt",
  l.start_execution as "startExecution", l.ticket_hash as "ticketHash", l.ticket_until as "ticketUntil",
  l.ticket_used_at as "ticketUsedAt", l.address, l.shell_user as "shellUser", l.bytes_in as "bytesIn", l.bytes_out as "bytesOut",
  (select count(*)::int from link_recordings r where r.link_id = l.id) as recordings`;

export async function findLink(db: Kysely<Database>, id: number): Promise<LinkRecord | null> {
  const { rows } = await sql<LinkRecord>`select ${COLUMNS} from links l where l.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Locks a link until the end of the transaction. */
export async function lockLink(trx: Kysely<Database>, id: number): Promise<LinkRecord | null> {
  const { rows } = await sql<LinkRecord>`select ${COLUMNS} from links l where l.id = ${id} for update`.execute(trx);
  return rows[0] ?? null;
}

export interface LinkFilters {
  ended: boolean;
  deviceId: number | undefined;
  siteId: number | undefined;
  issueId: number | undefined;
  before: number | undefined;
  kind: LinkKind | undefined;
  /** a part of the name of the user who requested it */
  user: string | undefined;
  /** those requested from this time on, and before the other one */
  from: string | undefined;
  to: string | undefined;
  /** those with recordings */
  recorded: boolean | undefined;
}

/** The newest links of a scope that have ended, or have not. */
export async function listLinks(
  scope: Scope,
  db: Kysely<Database>,
  { ended, deviceId, siteId, issueId, before, kind, user, from, to, recorded }: LinkFilters,
  limit: number,
): Promise<LinkRecord[]> {
  const conditions = [
    withinScope(scope, 'l.customer_id', 'l.site_id'),
    ended ? sql<SqlBool>`l.state = 'ended'` : sql<SqlBool>`l.state <> 'ended'`,
  ];
  if (deviceId !== undefined) conditions.push(sql<SqlBool>`l.device_id = ${deviceId}`);
  if (siteId !== undefined) conditions.push(sql<SqlBool>`l.site_id = ${siteId}`);
  if (issueId !== undefined) conditions.push(sql<SqlBool>`l.issue_id = ${issueId}`);
  if (before !== undefined) conditions.push(sql<SqlBool>`l.id < ${before}`);
  if (kind !== undefined) conditions.push(sql<SqlBool>`l.kind = ${kind}`);
  if (user !== undefined) conditions.push(sql<SqlBool>`position(lower(${user}) in lower(l.requested_by_name)) > 0`);
  if (from !== undefined) conditions.push(sql<SqlBool>`l.requested_at >= ${from}`);
  if (to !== undefined) conditions.push(sql<SqlBool>`l.requested_at < ${to}`);
  if (recorded) conditions.push(sql<SqlBool>`exists (select from link_recordings r where r.link_id = l.id)`);
  const { rows } = await sql<LinkRecord>`
    select ${COLUMNS} from links l where ${sql.join(conditions, sql` and `)} order by l.id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** A device with what decides whether it may get a link. */
export interface LinkDevice {
  id: number;
  sn: string;
  name: string;
  customerId: number;
  siteId: number;
  modelName: string;
  controlLevel: Level;
  sshSupport: boolean;
  webSupport: boolean;
  /** device, site and customer are enabled */
  deviceEnabled: boolean;
  connected: boolean;
  /** the links that have not ended */
  active: number;
}

export async function findLinkDevice(scope: Scope, db: Kysely<Database>, deviceId: number): Promise<LinkDevice | null> {
  const { rows } = await sql<LinkDevice>`
    select d.id, d.sn, d.name, d.customer_id as "customerId", d.site_id as "siteId", m.name as "modelName",
           m.control_level as "controlLevel", m.ssh_support as "sshSupport", m.web_support as "webSupport",
           d.enabled and s.enabled and c.enabled as "deviceEnabled", coalesce(st.connected, false) as connected,
           (select count(*) from links l where l.device_id = d.id and l.state <> 'ended') as active
      from devices d join device_models m on m.id = d.device_model_id join sites s on s.id = d.site_id
      join customers c on c.id = d.customer_id left join device_states st on st.device_id = d.id
     where d.id = ${deviceId} and ${withinScope(scope, 'd.customer_id', 'd.site_id')}`.execute(db);
  return rows[0] ?? null;
}

/** True if an issue is about a device. */
export async function isIssueOf(db: Kysely<Database>, issueId: number, deviceId: number): Promise<boolean> {
  const issue = db.selectFrom('issues').select('id').where('id', '=', issueId).where('device_id', '=', deviceId);
  return (await issue.executeTakeFirst()) !== undefined;
}

/** A link that has not ended, with everything that may end it. */
export interface ActiveLink {
  id: number;
  kind: LinkKind;
  state: LinkState;
  until: Date;
  ticketUntil: Date | null;
  approvalUntil: Date | null;
  requestedBy: number | null;
  /** null when it was removed */
  deviceId: number | null;
  deviceEnabled: boolean;
  /** where the device is now; null when it was removed */
  customerId: number | null;
  siteId: number | null;
  controlLevel: Level | null;
  /** of control 7 */
  executionState: ExecutionState | null;
  result: number | null;
  executionReason: ExecutionReason | null;
  detail: string | null;
}

/** The links whose device is connected to a process that has ended. */
export async function listLostLinks(db: Kysely<Database>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select l.id from links l where l.state <> 'ended' and l.node is not null
       and not exists (select from nodes n where n.epoch = l.node and n.ended_at is null)`.execute(db);
  return rows.map(({ id }) => id);
}

/** The links whose device is connected to a process. */
export async function listOwnLinks(db: Kysely<Database>, epoch: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select l.id from links l where l.state <> 'ended' and l.node = ${epoch}::bigint`.execute(db);
  return rows.map(({ id }) => id);
}

export async function listActiveLinks(db: Kysely<Database>, ids: readonly number[] | 'all'): Promise<ActiveLink[]> {
  const selected = ids === 'all' ? sql`true` : sql`l.id = any (${ids}::int[])`;
  const { rows } = await sql<ActiveLink>`
    select l.id, l.kind, l.state, l.until, l.ticket_until as "ticketUntil", l.approval_until as "approvalUntil",
           l.requested_by as "requestedBy", l.device_id as "deviceId",
           coalesce(d.enabled and s.enabled and c.enabled, false) as "deviceEnabled",
           d.customer_id as "customerId", d.site_id as "siteId", m.control_level as "controlLevel",
           e.state as "executionState", e.result, e.reason as "executionReason", e.detail
      from links l left join devices d on d.id = l.device_id left join device_models m on m.id = d.device_model_id
      left join sites s on s.id = d.site_id left join customers c on c.id = d.customer_id
      left join executions e on e.id = l.start_execution
     where l.state <> 'ended' and ${selected}`.execute(db);
  return rows;
}

/** Stores the traffic of open links. */
export async function writeTraffic(
  db: Kysely<Database>,
  traffic: readonly { id: number; bytesIn: number; bytesOut: number }[],
): Promise<void> {
  await sql`
    update links l set bytes_in = t.bytes_in, bytes_out = t.bytes_out
      from unnest(${traffic.map(({ id }) => id)}::int[], ${traffic.map(({ bytesIn }) => bytesIn)}::bigint[],
                  ${traffic.map(({ bytesOut }) => bytesOut)}::bigint[]) as t (id, bytes_in, bytes_out)
     where l.id = t.id and l.state <> 'ended' and (l.bytes_in <> t.bytes_in or l.bytes_out <> t.bytes_out)`.execute(db);
}

/** Removes links that ended before a time. Those of an issue are part of its evidence and stay as long as it. */
export async function deletePastLinks(db: Kysely<Database>, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from links where id in (
      select id from links where state = 'ended' and ended_at < ${before} and issue_id is null
       order by ended_at limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Stores a new link. Returns its ID. */
export async function insertLink(trx: Kysely<Database>, values: Insertable<Database['links']>): Promise<number> {
  return (await trx.insertInto('links').values(values).returning('id').executeTakeFirstOrThrow()).id;
}

/** Changes columns of a link. */
export async function updateLink(
  trx: Kysely<Database>,
  id: number,
  values: Updateable<Database['links']>,
): Promise<void> {
  await trx.updateTable('links').set(values).where('id', '=', id).execute();
}
