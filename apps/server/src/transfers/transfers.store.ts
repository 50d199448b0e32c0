import {
  type ExecutionReason,
  type FirmwareKind,
  firmwareIsFetched,
  type LogType,
  PLC_VERSION_KEY,
  type Scope,
  TRANSFER_STATES,
  type Transfer,
  type TransferKind,
  type TransferReason,
  type TransferState,
  type Transport,
} from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { duringStayInScope } from '../ports/devices/device-scope.ts';
import type { QueryClient } from '../ports/uplink.ts';

/** A new transfer. */
export interface NewTransferRow {
  executionId: string;
  deviceId: number;
  kind: TransferKind;
  transport: Transport;
  firmware: { id: number; version: string; fileName: string; objectKey: string; size: number; sha256: string } | null;
  formerVersion: string | null;
  log: { type: LogType; from: string | null; to: string | null } | null;
  timeoutMs: number;
}

/** @throws unique violation `transfers_one_under_way` */
export async function insertTransfers(
  trx: Kysely<Database>,
  rows: readonly NewTransferRow[],
  by: { userId: number; userName: string },
): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .insertInto('transfers')
    .values(
      rows.map(({ firmware, log, ...row }) => ({
        execution_id: row.executionId,
        device_id: row.deviceId,
        kind: row.kind,
        transport: row.transport,
        firmware_id: firmware?.id ?? null,
        version: firmware?.version ?? null,
        former_version: row.formerVersion,
        file_name: firmware?.fileName ?? null,
        object_key: firmware?.objectKey ?? null,
        size: firmware?.size ?? null,
        sha256: firmware?.sha256 ?? null,
        log_type: log?.type ?? null,
        log_from: log?.from == null ? null : new Date(log.from),
        log_to: log?.to == null ? null : new Date(log.to),
        requested_by: by.userId,
        requested_by_name: by.userName,
        deadline_at: sql<Date>`now() + make_interval(secs => ${row.timeoutMs / 1000})`,
      })),
    )
    .execute();
}

/** The devices with a running transfer that conflicts with a new one of this kind. */
export async function devicesMoving(
  db: Kysely<Database>,
  deviceIds: readonly number[],
  kind: TransferKind,
): Promise<number[]> {
  const { rows } = await sql<{ deviceId: number }>`
    select device_id as "deviceId" from transfers
     where device_id = any(${[...deviceIds]}::int[]) and ended_at is null and (kind = 'log') = ${kind === 'log'}`.execute(
    db,
  );
  return rows.map(({ deviceId }) => deviceId);
}

/**
 * The versions that devices run, of their software or their PLCs, as last reported. Devices that never reported one are
 * left out.
 */
export async function softVersionsOf(
  db: Kysely<Database>,
  deviceIds: readonly number[],
  kind: FirmwareKind,
): Promise<ReadonlyMap<number, string>> {
  const ids = sql`any(${[...deviceIds]}::int[])`;
  const { rows } = await (kind === 'software'
    ? sql<{ id: number; version: string }>`
        select id, soft_version as version from devices where id = ${ids} and soft_version <> ''`
    : sql<{ id: number; version: string }>`
        select distinct on (id) id, version from (
          select device_id as id, value as version, read_at as at
            from device_parameters where device_id = ${ids} and key = ${PLC_VERSION_KEY}
          union all
          select device_id, value, at from latest_texts
           where device_id = ${ids} and connector = 0 and key = ${PLC_VERSION_KEY}
        ) told where version is not null order by id, at desc`
  ).execute(db);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** The details of a transfer that are sent to the device. */
export interface PreparedRow {
  id: number;
  kind: TransferKind;
  transport: Transport;
  fileName: string | null;
  version: string | null;
  size: number | null;
  sha256: string | null;
  logType: LogType | null;
  logFrom: Date | null;
  logTo: Date | null;
  /** the manufacturer's signature of the file: PEM and base64 */
  signingCertificate: string | null;
  signature: string | null;
}

/** Sets the credential and the expiry of a transfer; null when it has ended. */
export async function prepareTransfer(
  db: Kysely<Database>,
  executionId: string,
  credentialHash: string,
  timeout: Readonly<Record<TransferKind, number>>,
): Promise<PreparedRow | null> {
  const { rows } = await sql<PreparedRow>`
    update transfers
       set credential_hash = ${credentialHash}, asked_at = now(),
           deadline_at = now() + make_interval(secs => (${JSON.stringify(timeout)}::jsonb ->> kind)::float8 / 1000)
     where execution_id = ${executionId} and ended_at is null
    returning id, kind, transport, file_name as "fileName", version, size, sha256, log_type as "logType",
              log_from as "logFrom", log_to as "logTo",
              (select signing_certificate from firmware_files f where f.id = firmware_id) as "signingCertificate",
              (select f.signature from firmware_files f where f.id = firmware_id) as signature`.execute(db);
  return rows[0] ?? null;
}

/** States in which the device has the whole file. */
const HAVE_FILE = TRANSFER_STATES.filter(
  (state) => firmwareIsFetched(state) && state !== 'failed' && state !== 'timedOut',
);

/** A running transfer that is locked until the end of the transaction. */
export interface LockedTransfer extends Transfer {
  id: number;
  deviceId: number;
  version: string | null;
  reports: number;
  lastWord: string | null;
}

const LOCKED = `t.id, t.device_id as "deviceId", t.kind, t.state, t.reason, t.failures, t.version,
  e.state in ('accepted', 'ended') as accepted, coalesce(r.seq, 0) as reports, r.word as "lastWord",
  case when t.doubt is not null then json_build_object(
    'reason', t.doubt, 'afterMs', extract(epoch from t.doubted_until - now()) * 1000) end as doubt`;
const REFUSED = `(e.state = 'ended' and e.result in (3, 5) and e.reason is distinct from 'badAnswer')`;
const SOURCES = `transfers t join executions e on e.id = t.execution_id left join lateral (
  select seq, word from transfer_reports where transfer_id = t.id order by seq desc limit 1) r on true`;

/** The running transfers of devices, always in the same order. */
export async function lockUnderWay(client: QueryClient, deviceIds: number[]): Promise<LockedTransfer[]> {
  const { rows } = await client.query<LockedTransfer>({
    text: `select ${LOCKED} from ${SOURCES}
            where t.device_id = any($1::int[]) and t.ended_at is null and t.asked_at is not null
            order by t.id for update of t`,
    values: [deviceIds],
  });
  return rows;
}

/** The ID of the running transfer of an execution; null when there is none. */
export async function runningTransferOf(db: Kysely<Database>, executionId: string): Promise<number | null> {
  const row = await db
    .selectFrom('transfers')
    .select('id')
    .where('execution_id', '=', executionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The transfer that a connected device was sent and that has not ended, with its protocol; null when there is none. */
export async function runningOf(
  db: Kysely<Database>,
  deviceId: number,
  log: boolean,
): Promise<{ logType: string | null; protocol: string | null } | null> {
  const { rows } = await sql<{ logType: string | null; protocol: string | null }>`
    select t.log_type as "logType", s.protocol from transfers t join device_states s on s.device_id = t.device_id
     where t.device_id = ${deviceId} and t.ended_at is null and t.asked_at is not null and s.connected
       and (t.kind = 'log') = ${log}`.execute(db);
  return rows[0] ?? null;
}

/** What the action log says about the device of a transfer. */
export async function deviceOfTransfer(
  db: Kysely<Database>,
  deviceId: number,
): Promise<{ id: number; name: string; siteId: number; customerId: number } | undefined> {
  return await db
    .selectFrom('devices')
    .select(['id', 'name', 'site_id as siteId', 'customer_id as customerId'])
    .where('id', '=', deviceId)
    .executeTakeFirst();
}

/** A transfer by id, unless it has ended. */
export async function lockTransfer(client: QueryClient, id: number): Promise<LockedTransfer | null> {
  const { rows } = await client.query<LockedTransfer>({
    text: `select ${LOCKED} from ${SOURCES} where t.id = $1 and t.ended_at is null for update of t`,
    values: [id],
  });
  return rows[0] ?? null;
}

/**
 * Transfers that expired, or whose command did not reach the device. With devices: all of these devices. With null:
 * those that nobody has locked.
 */
export async function lockOverdue(
  client: QueryClient,
  { deviceIds, limit }: { deviceIds: readonly number[] | null; limit: number },
): Promise<(LockedTransfer & { refused: boolean; why: ExecutionReason | null })[]> {
  const { rows } = await client.query<LockedTransfer & { refused: boolean; why: ExecutionReason | null }>({
    // Results of executions: 3 failure, 5 offline (spec §4). A command that timed out, or whose response cannot be read,
    // may have been executed. A command that is queued because its device is offline waits as long as the command itself.
    text: `select ${LOCKED}, ${REFUSED} as refused, e.reason as why
             from ${SOURCES}
            where t.ended_at is null and ($1::int[] is null or t.device_id = any($1))
              and (least(t.deadline_at, t.doubted_until) <= now() and e.state <> 'queued'
                   or ${REFUSED} and t.state = 'requested')
            order by t.id limit $2 for update of t ${deviceIds === null ? 'skip locked' : ''}`,
    values: [deviceIds, limit],
  });
  return rows;
}

/** Writes the current state of transfers. */
export async function writeTransfers(
  client: QueryClient,
  changed: (Pick<LockedTransfer, 'id'> & Transfer & { over: boolean })[],
): Promise<void> {
  if (changed.length === 0) return;
  await client.query({
    text: `update transfers t
              set state = n.state, reason = n.reason, failures = n.failures, doubt = n.doubt,
                  doubted_until = now() + make_interval(secs => n.doubt_ms / 1000),
                  -- A device that installs a file has all of it.
                  bytes = case when n.state = any($7::text[]) then greatest(t.bytes, t.size) else t.bytes end,
                  ended_at = case when n.over then clock_timestamp() end
             from unnest($1::int[], $2::text[], $3::text[], $4::int[], $5::boolean[], $6::text[], $8::float8[])
               as n(id, state, reason, failures, over, doubt, doubt_ms)
            where t.id = n.id`,
    values: [
      changed.map(({ id }) => id),
      changed.map(({ state }) => state),
      changed.map(({ reason }) => reason),
      changed.map(({ failures }) => failures),
      changed.map(({ over }) => over),
      changed.map(({ doubt }) => doubt?.reason ?? null),
      HAVE_FILE,
      changed.map(({ doubt }) => doubt?.afterMs ?? null),
    ],
  });
}

export interface ReportRow {
  transferId: number;
  seq: number;
  at: Date;
  word: string;
  state: TransferState;
}

export async function writeReports(client: QueryClient, reports: ReportRow[]): Promise<void> {
  if (reports.length === 0) return;
  await client.query({
    text: `insert into transfer_reports (transfer_id, seq, at, word, state)
           select * from unnest($1::int[], $2::int2[], $3::timestamptz[], $4::text[], $5::text[])`,
    values: [
      reports.map(({ transferId }) => transferId),
      reports.map(({ seq }) => seq),
      reports.map(({ at }) => at),
      reports.map(({ word }) => word),
      reports.map(({ state }) => state),
    ],
  });
}

/** PLC firmware that is reported as installed, on connected devices that were not asked for the version recently. */
export async function claimUnverified(
  db: Kysely<Database>,
  againMs: number,
): Promise<{ deviceId: number; requestedBy: number | null; requestedByName: string }[]> {
  const { rows } = await sql<{ deviceId: number; requestedBy: number | null; requestedByName: string }>`
    update transfers t set version_asked_at = now()
      from device_states s
     where t.kind = 'plc' and t.state = 'installed' and t.ended_at is null and s.device_id = t.device_id and s.connected
       and (t.version_asked_at is null or t.version_asked_at < now() - make_interval(secs => ${againMs / 1000}))
    returning t.device_id as "deviceId", t.requested_by as "requestedBy", t.requested_by_name as "requestedByName"`.execute(
    db,
  );
  return rows;
}

export interface ListedTransfer {
  id: number;
  executionId: string;
  kind: TransferKind;
  transport: Transport;
  state: TransferState;
  reason: TransferReason | null;
  detail: string | null;
  version: string | null;
  formerVersion: string | null;
  fileName: string | null;
  size: number | null;
  bytes: number;
  failures: number;
  logType: LogType | null;
  requestedBy: string;
  requestedAt: Date;
  askedAt: Date | null;
  deadlineAt: Date;
  endedAt: Date | null;
  reports: { at: string; word: string; state: TransferState }[];
}

/** A page of the transfers of a device, newest first, with the reported steps. */
export async function listTransfers(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  kinds: readonly TransferKind[],
  page: { limit: number; offset: number; oldestFirst: boolean },
): Promise<{ items: ListedTransfer[]; total: number }> {
  const where = sql`t.device_id = ${deviceId} and t.kind = any(${[...kinds]}::text[])
    and ${duringStayInScope(scope, deviceId, 't.requested_at')}`;
  const { rows } = await sql<ListedTransfer>`
    select t.id, t.execution_id as "executionId", t.kind, t.transport, t.state, t.reason, t.detail, t.version,
           t.former_version as "formerVersion", t.file_name as "fileName", t.size, t.bytes, t.failures,
           t.log_type as "logType", t.requested_by_name as "requestedBy", t.requested_at as "requestedAt",
           t.asked_at as "askedAt", t.deadline_at as "deadlineAt", t.ended_at as "endedAt",
           (select coalesce(json_agg(json_build_object('at', r.at, 'word', r.word, 'state', r.state) order by r.seq), '[]')
              from transfer_reports r where r.transfer_id = t.id) as reports
      from transfers t where ${where} order by t.id ${page.oldestFirst ? sql`asc` : sql`desc`} limit ${page.limit} offset ${page.offset}`.execute(
    db,
  );
  const counted = await sql<{ total: number }>`select count(*) as total from transfers t where ${where}`.execute(db);
  return { items: rows, total: counted.rows[0]!.total };
}
