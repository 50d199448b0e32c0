import {
  COMMAND_KINDS,
  type CommandInputs,
  type CommandKind,
  EXECUTION_RESULTS,
  type ExecutionReason,
  type ExecutionResult,
} from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** A command of the past. */
export interface PastCommand {
  kind: CommandKind;
  params: CommandInputs;
  at: Date;
  userId: number;
  userName: string;
  /** one for each device */
  executions: readonly PastExecution[];
  /** of a batch */
  batch: { siteId: number; customerId: number; parallel: number; rerunOf: PastCommand | null } | null;
}

/** The end of a command on a device. */
export interface PastExecution {
  id: string;
  deviceId: number;
  connector: number;
  queuedAt: Date;
  /** null: it was not sent */
  sentAt: Date | null;
  endedAt: Date;
  result: Exclude<ExecutionResult, 'waiting'>;
  reason: ExecutionReason;
  detail: string | null;
  answer: unknown;
  /** the result of its file transfer */
  file: 'done' | 'failed' | 'timedOut' | null;
}

/** Adds commands in the given order. Returns the ids of the batches by their commands. */
export async function loadPastCommands(
  db: Kysely<Database>,
  commands: readonly PastCommand[],
): Promise<Map<PastCommand, number>> {
  const given = commands.map(({ kind, params, at, userId, userName }) => ({
    ...{ kind, params, at, userId, userName, controlType: COMMAND_KINDS[kind] },
  }));
  const { rows: added } = await sql<{ id: number }>`
    insert into commands (kind, control_type, params, requested_by, requested_by_name, requested_at)
    select kind, "controlType", params, "userId", "userName", at
      from rows from (jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as (
        kind text, "controlType" int2, params jsonb, "userId" int, "userName" text, at timestamptz)) with ordinality
     order by ordinality
    returning id`.execute(db);
  const batches = new Map<PastCommand, number>();
  for (const [index, command] of commands.entries()) {
    const { batch } = command;
    if (batch === null) continue;
    const last = Math.max(...command.executions.map(({ endedAt }) => endedAt.getTime()));
    const rerunOf = batch.rerunOf && (batches.get(batch.rerunOf) ?? null);
    const { rows } = await sql<{ id: number }>`
      insert into command_batches (command_id, site_id, customer_id, connector, parallel, level, value_level, rerun_of,
        ended_at, announced_at)
      values (${added[index]?.id}, ${batch.siteId}, ${batch.customerId}, 0, ${batch.parallel}, 4, 4, ${rerunOf},
        ${new Date(last)}, ${new Date(last)})
      returning id`.execute(db);
    if (rows[0]) batches.set(command, rows[0].id);
  }
  const executions = commands.flatMap((command, index) =>
    command.executions.map((one) => ({
      ...one,
      result: EXECUTION_RESULTS[one.result],
      commandId: added[index]?.id,
      batchId: batches.get(command),
    })),
  );
  await sql`
    insert into executions (id, command_id, batch_id, device_id, connector, state, result, reason, detail, answer, file,
                            queued_at, sent_at, deadline_at, ended_at)
    select id, "commandId", "batchId", "deviceId", connector, 'ended', result, reason, detail, answer, file, "queuedAt",
           "sentAt", "endedAt", "endedAt"
      from jsonb_to_recordset(${JSON.stringify(executions)}::jsonb) as r (
        id uuid, "commandId" bigint, "batchId" int, "deviceId" int, connector int2, result int2, reason text, detail text,
        answer jsonb, file text, "queuedAt" timestamptz, "sentAt" timestamptz, "endedAt" timestamptz)
     order by "queuedAt"`.execute(db);
  return batches;
}
