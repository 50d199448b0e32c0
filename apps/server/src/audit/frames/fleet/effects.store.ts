import type { FrameEffect } from '@chargehand/contract';
import type { ParsedFrame, Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../platform/database/schema.ts';
import { duringStayInScope } from '../../../ports/devices/device-scope.ts';
import { type ReadingColumns, unpackColumns } from '../../../ports/readings/packed-readings.ts';

/** A frame and its counterpart, of which effects are looked for. */
export interface Exchange {
  deviceId: number;
  /** the time of the frame that the device sent; null if it sent none */
  receivedAt: Date | null;
  messageId: string | null;
  parsed: readonly ParsedFrame[];
}

/** The device and the server may report the time of the same event differently by this much. Milliseconds. */
const NEAR_MS = 2_000;
/** A batch of readings is within an hour. */
const HOUR_MS = 3_600_000;
const MOST = 20;
/** The ID of an execution. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The command, charging session, alarms and readings that belong to a frame: by message ID, content and time. */
export async function listEffects(db: Kysely<Database>, scope: Scope, exchange: Exchange): Promise<FrameEffect[]> {
  const [commands, transactions, alarms, readings] = await Promise.all([
    commandsOf(db, exchange),
    transactionsOf(db, scope, exchange),
    alarmsOf(db, scope, exchange),
    readingsOf(db, exchange),
  ]);
  return [...commands, ...transactions, ...alarms, ...readings];
}

async function commandsOf(db: Kysely<Database>, { deviceId, messageId }: Exchange): Promise<FrameEffect[]> {
  if (messageId === null || !UUID.test(messageId)) return [];
  const { rows } = await sql<{ id: string; command: string; result: number }>`
    select e.id, c.kind as command, e.result from executions e join commands c on c.id = e.command_id
     where e.id = ${messageId}::uuid and e.device_id = ${deviceId}`.execute(db);
  return rows.map((row) => ({ kind: 'command', ...row }));
}

async function transactionsOf(db: Kysely<Database>, scope: Scope, exchange: Exchange): Promise<FrameEffect[]> {
  const ids = exchange.parsed.flatMap(transactionIds);
  if (ids.length === 0) return [];
  const numbers = ids.filter((id) => typeof id === 'number' && Number.isInteger(id) && id > 0 && id < 2 ** 31);
  const texts = ids.filter((id) => typeof id === 'string');
  const { rows } = await sql<{ id: number; connector: number }>`
    select id, connector from transactions
     where device_id = ${exchange.deviceId} and (id = any(${numbers}::int[]) or external_id = any(${texts}::text[]))
       and ${duringStayInScope(scope, exchange.deviceId, 'started_at')}
     limit ${MOST}`.execute(db);
  return rows.map((row) => ({ kind: 'transaction', ...row }));
}

/** The IDs of charging sessions in a message: `transactionId`, also of `transactionInfo`. */
function transactionIds({ payload }: ParsedFrame): unknown[] {
  const { transactionId, transactionInfo } = (payload ?? {}) as Record<string, unknown>;
  const inner = (transactionInfo ?? {}) as Record<string, unknown>;
  return [transactionId, inner.transactionId].filter((id) => id !== undefined);
}

async function alarmsOf(
  db: Kysely<Database>,
  scope: Scope,
  { deviceId, receivedAt }: Exchange,
): Promise<FrameEffect[]> {
  if (receivedAt === null) return [];
  const from = new Date(receivedAt.getTime() - NEAR_MS);
  const to = new Date(receivedAt.getTime() + NEAR_MS);
  const { rows } = await sql<{ id: number; code: string; connector: number; ended: boolean }>`
    select id, code, connector, cleared_at between ${from} and ${to} as ended from alarms
     where device_id = ${deviceId} and source <> 'line'
       and (raised_at between ${from} and ${to} or cleared_at between ${from} and ${to})
       and ${duringStayInScope(scope, deviceId, 'raised_at')}
     order by id limit ${MOST}`.execute(db);
  return rows.map(({ ended, ...row }) => ({ kind: 'alarm', ...row, ended: ended ?? false }));
}

async function readingsOf(db: Kysely<Database>, { deviceId, receivedAt }: Exchange): Promise<FrameEffect[]> {
  if (receivedAt === null) return [];
  // Readings keep when they were received. Their own time may be much older, but not much newer.
  const from = new Date(receivedAt.getTime() - 86_400_000);
  const to = new Date(receivedAt.getTime() + 3_600_000);
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(coalesce(cardinality(analog), 0) + coalesce(cardinality(counters), 0)), 0)::int as count from readings
     where device_id = ${deviceId} and at between ${from} and ${to}
       and date_trunc('milliseconds', received_at) = ${receivedAt}`.execute(db);
  const { rows: batches } = await sql<{ data: Buffer }>`
    select data from reading_batches
     where device_id = ${deviceId} and last_at >= ${from} and at <= ${to}
       and at >= ${new Date(Math.floor(from.getTime() / HOUR_MS) * HOUR_MS)}`.execute(db);
  let count = rows[0]?.count ?? 0;
  for (const { data } of batches) count += valuesReceivedAt(await unpackColumns(data), receivedAt);
  return count > 0 ? [{ kind: 'readings', count }] : [];
}

function valuesReceivedAt({ receivedAt, groups }: ReadingColumns, at: Date): number {
  let count = 0;
  for (const { rows, analog, counters } of groups) {
    for (const row of rows) {
      if (Math.floor(receivedAt[row]! / 1_000) === at.getTime()) count += analog.length + counters.length;
    }
  }
  return count;
}
