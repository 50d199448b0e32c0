import {
  COMMAND_RULES,
  type CommandKind,
  EXECUTION_RESULTS,
  type Execution,
  type ExecutionReason,
  type ExecutionResult,
  type ExecutionState,
} from '@chargehand/domain';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { DeviceCall } from '../ports/device-link.ts';

/** Whatever runs a statement: a connection of `pg`, or a transaction of Kysely by `queryOf`. */
export interface QueryClient {
  query<Row>(config: { text: string; values: unknown[] }): Promise<{ rows: Row[] }>;
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

interface LockedRow {
  id: string;
  device_id: number;
  state: ExecutionState;
  result: number;
  reason: ExecutionReason | null;
  late_answer_at: Date | null;
}

/** Locks executions by id; ids that do not exist are left out. Always in the same order, so that two who lock do not wait for each other. */
export async function lockExecutions(client: QueryClient, ids: string[]): Promise<LockedExecution[]> {
  const { rows } = await client.query<LockedRow>({
    text: `select id, device_id, state, result, reason, late_answer_at
             from executions where id = any($1::uuid[]) order by id for update`,
    values: [ids],
  });
  return rows.map(lockedExecution);
}

/** Locks executions whose deadline has passed, without those that another node has in hand, at most `limit`. */
export async function lockOverdue(
  client: QueryClient,
  limit: number,
): Promise<(LockedExecution & { line: 'kept' | 'lost' })[]> {
  const { rows } = await client.query<LockedRow & { line: 'kept' | 'lost' }>({
    text: `select e.id, e.device_id, e.state, e.result, e.reason, e.late_answer_at,
            case when s.connected is not true then 'lost'
                 when e.state = 'sent' and s.connected_at > e.sent_at then 'lost'
                 else 'kept' end as line
       from executions e left join device_states s on s.device_id = e.device_id
      where e.state <> 'ended' and e.deadline_at <= now()
      order by e.deadline_at limit $1
        for update of e skip locked`,
    values: [limit],
  });
  return rows.map((row) => ({ ...lockedExecution(row), line: row.line }));
}

/** The end of an execution, with what the device said, if that is how it ended. */
export interface End {
  executionId: string;
  execution: Execution;
  /** null: now */
  at: Date | null;
  detail: string | null;
  answer: unknown;
}

/** Writes the ends of executions that the caller has locked. */
export async function writeEnds(client: QueryClient, ends: End[]): Promise<void> {
  if (ends.length === 0) return;
  await client.query({
    text: `update executions e
        set state = n.state, result = n.result, reason = n.reason, detail = n.detail, answer = n.answer,
            ended_at = greatest(coalesce(n.at, now()), e.sent_at, e.queued_at)
       from unnest($1::uuid[], $2::text[], $3::smallint[], $4::text[], $5::text[], $6::jsonb[], $7::timestamptz[])
            as n(id, state, result, reason, detail, answer, at)
      where e.id = n.id`,
    values: [
      ends.map((end) => end.executionId),
      ends.map((end) => end.execution.state),
      ends.map((end) => EXECUTION_RESULTS[end.execution.result]),
      ends.map((end) => end.execution.reason),
      ends.map((end) => end.detail),
      ends.map((end) => jsonOf(end.answer)),
      ends.map((end) => end.at),
    ],
  });
}

/** Notes answers that came after their executions had ended. */
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

/** How long each kind has to answer, as the claim needs it: from the moment of sending. */
const ANSWER_MS = JSON.stringify(
  Object.fromEntries(Object.entries(COMMAND_RULES).map(([kind, rule]) => [kind, rule.answerMs])),
);

/** SQLSTATE unique_violation: another node has just put a command of this device in flight. */
const UNIQUE_VIOLATION = '23505';

/**
 * Takes the oldest queued execution of a device that has nothing in flight, and commits `sent` (whatever the rule makes
 * of that) before anybody writes to the line. Null when there is none, or when another node was faster.
 */
export async function claimNext(
  db: Kysely<Database>,
  deviceId: number,
  sent: Execution,
): Promise<{ call: DeviceCall; enabled: boolean } | null> {
  try {
    const { rows } = await sql<{
      id: string;
      connector: number;
      kind: CommandKind;
      params: DeviceCall['params'];
      enabled: boolean;
    }>`
      with next as (
        select e.id from executions e
         where e.device_id = ${deviceId} and e.state = 'queued'
           and not exists (select from executions f where f.device_id = ${deviceId} and f.state = 'sent')
         order by e.queued_at, e.id limit 1
           for update skip locked
      )
      update executions e
         set state = ${sent.state}, result = ${EXECUTION_RESULTS[sent.result]}, reason = ${sent.reason}, sent_at = now(),
             deadline_at = now() + make_interval(secs => (${ANSWER_MS}::jsonb ->> c.kind)::float8 / 1000)
        from next, commands c, devices d, sites s, customers o
       where e.id = next.id and c.id = e.command_id
         and d.id = e.device_id and s.id = d.site_id and o.id = d.customer_id
      returning e.id, e.connector, c.kind, c.params, d.enabled and s.enabled and o.enabled as enabled`.execute(db);
    const row = rows[0];
    if (!row) return null;
    const { id: executionId, connector, kind, params, enabled } = row;
    return { call: { executionId, kind, connector, params }, enabled };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return null;
    throw error;
  }
}

/** Connected devices for which something is queued and nothing is in flight. */
export async function devicesToServe(db: Kysely<Database>, limit: number): Promise<number[]> {
  const { rows } = await sql<{ device_id: number }>`
    select distinct q.device_id
      from executions q join device_states s on s.device_id = q.device_id
     where q.state = 'queued' and s.connected
       and not exists (select from executions f where f.device_id = q.device_id and f.state = 'sent')
     limit ${limit}`.execute(db);
  return rows.map((row) => row.device_id);
}

const RESULT_OF = Object.fromEntries(
  Object.entries(EXECUTION_RESULTS).map(([name, number]) => [number, name]),
) as Record<number, ExecutionResult>;

function lockedExecution(row: LockedRow): LockedExecution {
  const result = RESULT_OF[row.result];
  if (!result) throw new RangeError(`an execution has result ${row.result}`);
  return {
    executionId: row.id,
    deviceId: row.device_id,
    state: row.state,
    result,
    reason: row.reason,
    lateAnswerAt: row.late_answer_at,
  };
}

function jsonOf(answer: unknown): string | null {
  return answer === undefined || answer === null ? null : JSON.stringify(answer);
}
