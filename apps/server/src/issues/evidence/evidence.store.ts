import type { ProtocolFrameRow } from '@chargehand/contract';
import {
  EVIDENCE_COMMANDS_HOURS,
  EVIDENCE_FRAMES_MINUTES,
  EVIDENCE_LIMITS,
  framesWithin,
  frameWithoutSecrets,
  frameWithoutTokens,
  type Level,
  type Scope,
  type SecretKeys,
} from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { NAME_OF_CODE } from '../../alarms/index.ts';
import { listFramesBefore } from '../../audit/index.ts';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { StoredSituation } from './situation.ts';

/** A device at the place where its issue belongs. */
export interface EvidenceDevice {
  id: number;
  deviceModelId: number;
  name: string;
  sn: string;
  model: string | null;
  softVersion: string;
  site: string;
  customer: string;
  customerId: number;
  status: string;
  connected: boolean;
  protocol: string | null;
  lastSeenAt: Date | null;
  parameterLevel: Level;
  /** since when it has been there: what happened before belongs to others */
  since: Date;
}

/** A device, if it is at a place now; null when it has moved or is deleted. */
export async function findDevice(
  trx: Kysely<Database>,
  deviceId: number,
  place: { customerId: number; siteId: number | null },
): Promise<EvidenceDevice | null> {
  const { rows } = await sql<EvidenceDevice>`
    select d.id, d.device_model_id as "deviceModelId", d.name, d.sn, m.name as model, d.soft_version as "softVersion",
           s.name as site, c.name as customer, d.customer_id as "customerId", d.status, t.connected, t.protocol,
           t.last_seen_at as "lastSeenAt", m.parameter_read_level as "parameterLevel",
           greatest(y.began_at, now() - interval '10 years') as since
      from devices d join device_states t on t.device_id = d.id join sites s on s.id = d.site_id
      join customers c on c.id = d.customer_id join device_models m on m.id = d.device_model_id
      join device_stays y on y.device_id = d.id and y.ended_at = 'infinity'
     where d.id = ${deviceId} and d.customer_id = ${place.customerId} and d.site_id = ${place.siteId}`.execute(trx);
  return rows[0] ?? null;
}

export interface EvidenceAlarm {
  connector: number;
  code: string;
  level: string;
  kind: string;
  info: string | null;
  raisedAt: string;
  repeats: number;
  name: { en: string | null; zh: string | null };
}

/** The open alarms of a device, most severe first. */
export async function listAlarms(trx: Kysely<Database>, deviceId: number): Promise<EvidenceAlarm[]> {
  const { rows } = await sql<Omit<EvidenceAlarm, 'raisedAt'> & { raisedAt: Date }>`
    select a.connector, a.code, a.level, a.kind, a.info, a.raised_at as "raisedAt", a.repeats,
           jsonb_build_object('en', named.name_en, 'zh', named.name_zh) as name
      from alarms a ${NAME_OF_CODE(sql`a.code`, sql`a.device_model_id`)}
     where a.device_id = ${deviceId} and a.cleared_at is null
     order by a.severity desc, a.raised_at desc limit ${EVIDENCE_LIMITS.alarms}`.execute(trx);
  return rows.map((row) => ({ ...row, raisedAt: row.raisedAt.toISOString() }));
}

export interface ReportedText {
  connector: number;
  key: string;
  value: string;
  unit: string;
  at: Date;
  /** the value is a number */
  number?: true;
}

/** The latest numbers and texts that a device reported at its place. */
export async function listReadings(trx: Kysely<Database>, { id, since }: EvidenceDevice): Promise<ReportedText[]> {
  const [numbers, texts] = await Promise.all([
    sql<{
      connector: number;
      items: { key: string; unit: string; counter: boolean }[];
      at: Date;
      analog: (number | null)[];
      counters: (number | null)[];
    }>`
      select l.connector, y.items, l.at, l.analog, l.counters
        from latest_readings l join reading_layouts y on y.id = l.layout_id
       where l.device_id = ${id} and l.at >= ${since} order by l.connector, l.at desc limit 50`.execute(trx),
    sql<Omit<ReportedText, 'unit'>>`
      select connector, key, value, at from latest_texts
       where device_id = ${id} and at >= ${since} order by connector, ${naturally(sql`key`)} limit ${EVIDENCE_LIMITS.readings}`.execute(
      trx,
    ),
  ]);
  const values = numbers.rows.flatMap(({ connector, items, at, analog, counters }) => {
    const left = { analog: [...analog], counters: [...counters] };
    return items.flatMap(({ key, unit, counter }) => {
      const value = (counter ? left.counters : left.analog).shift() ?? null;
      return value === null || Number.isNaN(value)
        ? []
        : [{ connector, key, unit, at, value: String(value), number: true as const }];
    });
  });
  // A value that several layouts contain counts once: the newest.
  const seen = new Set<string>();
  return [...values, ...texts.rows.map((row) => ({ ...row, unit: '' }))]
    .filter(({ connector, key }) => !seen.has(`${connector} ${key}`) && seen.add(`${connector} ${key}`))
    .slice(0, EVIDENCE_LIMITS.readings);
}

/** The parameters of a device, and the newest baseline of its model: its site's, or else its customer's or the platform's. */
export async function readParameters(
  trx: Kysely<Database>,
  { id, deviceModelId, customerId }: EvidenceDevice,
): Promise<{ name: string; expected: ParameterValue[]; actual: ParameterValue[] } | null> {
  const { rows } = await sql<{ id: number; name: string }>`
    select b.id, b.name from parameter_baselines b join devices d on d.id = ${id}
     where b.device_model_id = ${deviceModelId} and (b.customer_id = ${customerId} or b.customer_id is null)
       and (b.site_id is null or b.site_id = d.site_id)
     order by b.site_id nulls last, b.customer_id nulls last, b.created_at desc limit 1`.execute(trx);
  const [baseline] = rows;
  if (!baseline) return null;
  const [expected, actual] = await Promise.all([
    sql<ParameterValue>`
      select key, value from parameter_baseline_values where baseline_id = ${baseline.id} limit 2000`.execute(trx),
    sql<ParameterValue>`select key, value from device_parameters where device_id = ${id} limit 2000`.execute(trx),
  ]);
  return { name: baseline.name, expected: expected.rows, actual: actual.rows };
}

interface ParameterValue {
  key: string;
  value: string | null;
}

export interface EvidenceCommand {
  kind: string;
  connector: number;
  requestedBy: string;
  queuedAt: string;
  endedAt: string | null;
  result: number;
  reason: string | null;
}

/** The commands to a device in the day before, newest first. */
export async function listCommands(
  trx: Kysely<Database>,
  device: EvidenceDevice,
  now: Date,
): Promise<EvidenceCommand[]> {
  const { rows } = await sql<Omit<EvidenceCommand, 'queuedAt' | 'endedAt'> & { queuedAt: Date; endedAt: Date | null }>`
    select c.kind, e.connector, c.requested_by_name as "requestedBy", e.queued_at as "queuedAt",
           e.ended_at as "endedAt", r.result, case when r.result = 2 and e.result <> 2 then null else e.reason end as reason
      from executions e join commands c on c.id = e.command_id left join transfers t on t.execution_id = e.id
      -- The result of a command with a file is that of its transfer.
      cross join lateral (select execution_outcome(e.state, e.result, e.reason,
        case when t.state in ('verified', 'stored') then 'done' when t.state in ('failed', 'timedOut') then t.state
             when t.state is not null then 'underWay' end) as result) r
     where e.device_id = ${device.id} and e.queued_at >= ${from(device, now, EVIDENCE_COMMANDS_HOURS * 60)}
     order by e.queued_at desc limit ${EVIDENCE_LIMITS.commands}`.execute(trx);
  return rows.map((row) => ({
    ...row,
    queuedAt: row.queuedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }));
}

/** Frames that are read at once: the limits are checked after each batch. */
const BATCH = 100;
/** The frames are limited by the time of the device at its place. */
const EVERYTHING: Scope = { customers: 'all', sites: 'all' };

/** The protocol log of the hour before, newest first, with secrets masked, within the limits. */
export async function readFrames(
  trx: Kysely<Database>,
  device: EvidenceDevice,
  now: Date,
  marked: SecretKeys | null,
): Promise<{ frames: ProtocolFrameRow[]; complete: boolean }> {
  const start = from(device, now, EVIDENCE_FRAMES_MINUTES);
  let frames: (ProtocolFrameRow & { size: number })[] = [];
  let before: number | null = null;
  for (;;) {
    const rows = await listFramesBefore(EVERYTHING, trx, device.id, { from: start }, before, BATCH);
    const read = rows.map((row) => {
      const plain = frameWithoutSecrets(row.body, marked);
      // Evidence is shared with people outside, so it never contains the tokens of drivers.
      const body = (plain === null ? null : frameWithoutTokens(plain))?.slice(0, EVIDENCE_LIMITS.payloadBytes) ?? null;
      return { ...row, body, at: row.at.toISOString(), size: Buffer.byteLength(body ?? '') };
    });
    const { kept, complete } = framesWithin([...frames, ...read]);
    frames = kept;
    before = rows.at(-1)?.id ?? null;
    if (!complete || rows.length < BATCH) return { frames: frames.map(({ size: _, ...frame }) => frame), complete };
  }
}

/** The start of a period that ends now and is not before the device came to its place. */
function from({ since }: EvidenceDevice, now: Date, minutes: number): Date {
  return new Date(Math.max(since.getTime(), now.getTime() - minutes * 60_000));
}

/** Stores the situation of a device and its frames with an issue. */
export async function insertEvidence(
  trx: Kysely<Database>,
  issueId: number,
  situation: StoredSituation,
  frames: readonly ProtocolFrameRow[],
): Promise<void> {
  await trx
    .insertInto('issue_evidence')
    .values({ issue_id: issueId, situation: JSON.stringify(situation), frames: JSON.stringify(frames) })
    .execute();
}

/** The situation that was stored with an issue. */
export async function findEvidence(db: Kysely<Database>, issueId: number) {
  return await db
    .selectFrom('issue_evidence')
    .select(['taken_at as takenAt', 'situation'])
    .where('issue_id', '=', issueId)
    .executeTakeFirst();
}

/** The frames that were stored with an issue, the newest first. */
export async function findEvidenceFrames(db: Kysely<Database>, issueId: number): Promise<ProtocolFrameRow[]> {
  const { rows } = await sql<{ frames: ProtocolFrameRow[] }>`
    select frames from issue_evidence where issue_id = ${issueId}`.execute(db);
  return rows[0]?.frames ?? [];
}
