import {
  COMMAND_RULES,
  type CommandKind,
  EXECUTION_RESULTS,
  type Execution,
  type ExecutionReason,
  type ExecutionState,
  executionResultOf,
  type Precondition,
} from '@chargehand/domain';
import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { checkViolation, uniqueViolation } from '../platform/database/violations.ts';
import type { DeviceCall } from '../ports/devices/device-link.ts';
import { chargingNow, mayStillCharge } from '../telemetry/index.ts';
import { commandResults } from './metrics.ts';

/** Runs a statement: a connection of `pg`, or a transaction of Kysely with `queryOf`. */
export interface QueryClient {
  query<Row>(config: { name?: string; text: string; values: unknown[] }): Promise<{ rows: Row[] }>;
}

export function queryOf(db: Kysely<Database>): QueryClient {
  return { query: (config) => db.executeQuery(CompiledQuery.raw(config.text, config.values)) };
}

/** An execution that is locked until the end of the transaction. */
export interface LockedExecution extends Execution {
  executionId: string;
  deviceId: number;
  lateAnswerAt: Date | null;
}

export interface LockedRow {
  id: string;
  device_id: number;
  state: ExecutionState;
  result: number;
  reason: ExecutionReason | null;
  late_answer_at: Date | null;
}

/** Locks executions by id. Missing ids are left out. Always in the same order, so that two callers cannot deadlock. */
export async function lockExecutions(
  client: QueryClient,
  ids: string[],
): Promise<(LockedExecution & { kind: CommandKind })[]> {
  const { rows } = await client.query<LockedRow & { kind: CommandKind }>({
    text: `select e.id, e.device_id, e.state, e.result, e.reason, e.late_answer_at, c.kind
             from executions e join commands c on c.id = e.command_id
            where e.id = any($1::uuid[]) order by e.id for update of e`,
    values: [ids],
  });
  return rows.map((row) => ({ ...lockedExecution(row), kind: row.kind }));
}

/** Locks executions whose deadline has passed, without those that another transaction has locked, at most `limit`. */
export async function lockOverdue(
  client: QueryClient,
  limit: number,
): Promise<(LockedExecution & { connection: 'kept' | 'lost'; whenIdle: boolean })[]> {
  const { rows } = await client.query<LockedRow & { connection: 'kept' | 'lost'; when_idle: boolean }>({
    text: `select e.id, e.device_id, e.state, e.result, e.reason, e.late_answer_at, e.when_idle,
            case when s.connected is not true then 'lost'
                 when (e.state = 'sent' or e.reason = 'reporting') and s.connected_at > e.sent_at then 'lost'
                 else 'kept' end as connection
       from executions e left join device_states s on s.device_id = e.device_id
      where e.state <> 'ended' and e.deadline_at <= now()
      order by e.deadline_at limit $1
        for update of e skip locked`,
    values: [limit],
  });
  return rows.map((row) => ({ ...lockedExecution(row), connection: row.connection, whenIdle: row.when_idle }));
}

/** The end of an execution, with the device's answer, if that ended it. */
export interface End {
  executionId: string;
  execution: Execution;
  /** null: now */
  at: Date | null;
  detail: string | null;
  answer: unknown;
}

/** Stores the ends of executions that the caller has locked. */
export async function writeEnds(client: QueryClient, ends: End[]): Promise<void> {
  await writeAnswers(
    client,
    ends.map((end) => ({ ...end, withinMs: null })),
  );
  countResults(ends);
}

/** Stores that devices accepted commands and are executing them. Each has `withinMs` to report the result. */
export async function writeAccepted(
  client: QueryClient,
  accepted: (Omit<End, 'at'> & { withinMs: number })[],
): Promise<void> {
  await writeAnswers(
    client,
    accepted.map((one) => ({ ...one, at: null })),
  );
}

/**
 * With `withinMs` (milliseconds) an execution continues until a new deadline. Without it, the execution ends at `at`.
 */
async function writeAnswers(client: QueryClient, answers: (End & { withinMs: number | null })[]): Promise<void> {
  if (answers.length === 0) return;
  await client.query({
    text: `update executions e
        set state = n.state, result = n.result, reason = n.reason, detail = n.detail, answer = n.answer,
            ended_at = case when n.within_ms is null then greatest(coalesce(n.at, now()), e.sent_at, e.queued_at)
                            else e.ended_at end,
            deadline_at = coalesce(now() + make_interval(secs => n.within_ms / 1000.0), e.deadline_at)
       from unnest($1::uuid[], $2::text[], $3::smallint[], $4::text[], $5::text[], $6::jsonb[], $7::timestamptz[],
                   $8::int[]) as n(id, state, result, reason, detail, answer, at, within_ms)
      where e.id = n.id`,
    values: [
      answers.map((one) => one.executionId),
      answers.map((one) => one.execution.state),
      answers.map((one) => EXECUTION_RESULTS[one.execution.result]),
      answers.map((one) => one.execution.reason),
      answers.map((one) => one.detail),
      answers.map((one) => jsonOf(one.answer)),
      answers.map((one) => one.at),
      answers.map((one) => one.withinMs),
    ],
  });
}

/** Stores that devices executed what they had accepted. Their answer is kept. */
export async function writeConfirmed(
  client: QueryClient,
  ends: { executionId: string; execution: Execution }[],
): Promise<void> {
  if (ends.length === 0) return;
  await client.query({
    text: `update executions e
        set state = n.state, result = n.result, reason = n.reason, ended_at = greatest(now(), e.sent_at, e.queued_at)
       from unnest($1::uuid[], $2::text[], $3::smallint[], $4::text[]) as n(id, state, result, reason)
      where e.id = n.id`,
    values: [
      ends.map((end) => end.executionId),
      ends.map((end) => end.execution.state),
      ends.map((end) => EXECUTION_RESULTS[end.execution.result]),
      ends.map((end) => end.execution.reason),
    ],
  });
  countResults(ends);
}

function countResults(ends: readonly { execution: Execution }[]): void {
  for (const { execution } of ends) {
    commandResults.inc({ result: execution.result, reason: execution.reason ?? 'none' });
  }
}

/** Returns executions that were not sent to the queue, with their original deadline. */
export async function writePutBack(client: QueryClient, executionId: string, execution: Execution): Promise<void> {
  await client.query({
    text: `update executions set state = $2, result = $3, reason = $4, sent_at = null, deadline_at = waits_until
            where id = $1`,
    values: [executionId, execution.state, EXECUTION_RESULTS[execution.result], execution.reason],
  });
}

/** Stores answers that arrived after their executions had ended. */
export async function writeLateAnswers(
  client: QueryClient,
  notes: { executionId: string; at: Date; answer: unknown }[],
): Promise<void> {
  if (notes.length === 0) return;
  await client.query({
    text: `update executions e set late_answer_at = n.at, answer = n.answer
       from unnest($1::uuid[], $2::timestamptz[], $3::jsonb[]) as n(id, at, answer)
      where e.id = n.id`,
    values: [
      notes.map((note) => note.executionId),
      notes.map((note) => note.at),
      notes.map((note) => jsonOf(note.answer)),
    ],
  });
}

/** The time that each kind has for its answer, counted from sending, as the claim needs it. */
const ANSWER_MS = JSON.stringify(
  Object.fromEntries(Object.entries(COMMAND_RULES).map(([kind, rule]) => [kind, rule.answerMs])),
);

/**
 * Stores that devices are working on executions, which get the same time again to answer, from a time on. The caller has
 * locked them.
 */
export async function writeWorking(
  client: QueryClient,
  working: readonly { executionId: string; at: Date }[],
): Promise<void> {
  if (working.length === 0) return;
  await client.query({
    text: `update executions e
        set state = 'accepted', reason = 'reporting',
            deadline_at = greatest(e.deadline_at, n.at + make_interval(secs => ($3::jsonb ->> c.kind)::float8 / 1000))
       from unnest($1::uuid[], $2::timestamptz[]) as n(id, at), commands c
      where e.id = n.id and c.id = e.command_id`,
    values: [working.map((one) => one.executionId), working.map((one) => one.at), ANSWER_MS],
  });
}

/** The database's error for the second of two claims that would put a command in flight where only one more may be. */
const NO_ROOM = new Set(['executions_one_in_flight', 'command_batches_parallel', 'command_batches_stopped']);

/** True if a command of a device is in flight, for which others wait. */
export function hasInFlight(deviceId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from executions f where f.device_id = ${deviceId} and f.state = 'sent' and not f.gave_way)`;
}

/**
 * An execution `e` that does not wait for a time or for its device to be idle. After a restore, those of the backup wait:
 * the device may have executed them already.
 */
export const MAY_START = sql<boolean>`(not exists (select from outgoing_holds h where h.since >= e.queued_at)
  and (e.not_before is null or e.not_before <= now())
  and (not e.when_idle
    or not (${chargingNow(sql`e.device_id`, sql`0`)} or ${mayStillCharge(sql`e.device_id`)})))`;

/**
 * The executions that may be sent now: when waiting for an offline device, only once it is connected; of a batch, only
 * while it has not stopped and may send more. The database enforces the latter two for concurrent claims.
 */
const MAY_BE_ASKED = sql`(e.waits_until is null or coalesce(s.connected, false)) and ${MAY_START}
  and (e.batch_id is null or exists (
    select from command_batches b
     where b.id = e.batch_id and b.stopped_at is null and b.in_flight < b.parallel))`;

/** A claimed execution, with the facts that still decide whether it may be sent. */
export interface Claimed {
  call: DeviceCall;
  /** the session that a remote stop ends */
  transactionId: number | undefined;
  batchId: number | null;
  enabled: boolean;
  /** it returns to the queue when the device is offline */
  waits: boolean;
  precondition: Precondition | null;
  /** a vehicle is charging where the command applies */
  session: boolean;
  maintenance: boolean;
}

/**
 * Claims the oldest queued execution of each device that has nothing in flight, reads that nobody requested last, and
 * commits `sent` (whatever the rule
 * then decides) before any is written to a connection. All are claimed at once, because each would lock the row of the
 * same batch until its own commit. Devices without one, or where another claim was faster, are left out.
 */
export async function claimNext(
  db: Kysely<Database>,
  deviceIds: readonly number[],
  sent: Execution,
): Promise<Map<number, Claimed>> {
  try {
    return await claim(db, deviceIds, sent);
  } catch (error) {
    if (!NO_ROOM.has(uniqueViolation(error) ?? checkViolation(error) ?? '')) throw error;
  }
  if (deviceIds.length === 1) return new Map();
  // For some devices another claim was faster.
  const claimed = new Map<number, Claimed>();
  for (const deviceId of deviceIds) {
    for (const [id, one] of await claimNext(db, [deviceId], sent)) claimed.set(id, one);
  }
  return claimed;
}

async function claim(
  db: Kysely<Database>,
  deviceIds: readonly number[],
  sent: Execution,
): Promise<Map<number, Claimed>> {
  const { rows } = await sql<
    Omit<Claimed, 'call' | 'transactionId'> & {
      deviceId: number;
      id: string;
      connector: number;
      kind: CommandKind;
      params: DeviceCall['params'] & { transactionId?: number };
    }
  >`
    with next as (
      select e.* from unnest(${[...deviceIds]}::int[]) as one (id) cross join lateral (
        select e.id, e.batch_id, e.queued_at
          from executions e join commands c on c.id = e.command_id left join device_states s on s.device_id = e.device_id
         where e.device_id = one.id and e.state = 'queued' and ${MAY_BE_ASKED}
           and not ${hasInFlight(sql`one.id`)}
         order by c.requested_by_name = '', e.queued_at, e.id limit 1
           for update of e skip locked) e
    ), taken as (
      select n.id from (select *, row_number() over (partition by batch_id order by queued_at, id) as place from next) n
        left join command_batches b on b.id = n.batch_id
       where n.batch_id is null or n.place <= b.parallel - b.in_flight
    )
    update executions e
       set state = ${sent.state}, result = ${EXECUTION_RESULTS[sent.result]}, reason = ${sent.reason}, sent_at = now(),
           deadline_at = now() + make_interval(secs => (${ANSWER_MS}::jsonb ->> c.kind)::float8 / 1000)
      from taken, commands c, devices d, sites s, customers o
     where e.id = taken.id and c.id = e.command_id
       and d.id = e.device_id and s.id = d.site_id and o.id = d.customer_id
    returning e.device_id as "deviceId", e.id, e.connector, c.kind, c.params, d.enabled and s.enabled and o.enabled as enabled,
              e.batch_id as "batchId", e.waits_until is not null as waits, e.precondition, d.maintenance,
              e.precondition = 'noSession' and ${chargingNow(sql`e.device_id`, sql`e.connector`)} is true as session`.execute(
    db,
  );
  return new Map(
    rows.map(({ deviceId, id: executionId, connector, kind, params, ...rest }) => [
      deviceId,
      { ...rest, call: { executionId, kind, connector, params }, transactionId: params.transactionId },
    ]),
  );
}

/** Cancels the executions that were queued before a time and were never sent. */
export async function cancelQueued(trx: Kysely<Database>, before: Date): Promise<void> {
  await sql`
    update executions set state = 'ended', result = ${EXECUTION_RESULTS.failure}, reason = 'cancelled', ended_at = now()
     where state = 'queued' and queued_at <= ${before}`.execute(trx);
}

/** Connected devices with a queued execution and nothing in flight. Those of batches are checked there. */
export async function devicesToServe(db: Kysely<Database>, limit: number): Promise<number[]> {
  const { rows } = await sql<{ device_id: number }>`
    select distinct e.device_id
      from executions e join device_states s on s.device_id = e.device_id
     where e.state = 'queued' and e.batch_id is null and s.connected and ${MAY_START}
       and not ${hasInFlight(sql`e.device_id`)}
     limit ${limit}`.execute(db);
  return rows.map((row) => row.device_id);
}

/** A read gives way after this time. With the interval of the sweep, a command waits for a read for less than 5 s. */
const GIVES_WAY_MS = 3_000;

/** Kinds that change nothing, so that a command may overtake them. */
const READS = sql`('refreshParameters', 'refreshConfiguration')`;

/**
 * Lets reads that OCPP devices have not answered give way to the waiting commands of people: those of the server to all,
 * those of people to commands that are no reads. Their answers still count. MQTT devices answer without naming the
 * command, so theirs keep their turn.
 */
export async function letReadsGiveWay(db: Kysely<Database>): Promise<void> {
  await sql`
    update executions f set gave_way = true from commands read, device_states s
     where f.state = 'sent' and not f.gave_way and f.batch_id is null
       and f.sent_at <= now() - make_interval(secs => ${GIVES_WAY_MS / 1_000})
       and read.id = f.command_id and read.kind in ${READS} and s.device_id = f.device_id and s.protocol like 'ocpp%'
       and exists (
         select from executions e join commands c on c.id = e.command_id
          where e.device_id = f.device_id and e.state = 'queued' and ${MAY_START} and c.requested_by_name <> ''
            and (read.requested_by_name = '' or f.verifies is not null or c.kind not in ${READS}))`.execute(db);
}

export function lockedExecution(row: LockedRow): LockedExecution {
  return {
    executionId: row.id,
    deviceId: row.device_id,
    state: row.state,
    result: executionResultOf(row.result),
    reason: row.reason,
    lateAnswerAt: row.late_answer_at,
  };
}

function jsonOf(answer: unknown): string | null {
  return answer === undefined || answer === null ? null : JSON.stringify(answer);
}
