import { type Confirmation, nextExecution } from '@chargehand/domain';
import type { Confirmations } from '../../ports/uplink.ts';
import { lockExecutions, type QueryClient, writeConfirmed } from '../executions.store.ts';
import type { AnsweredExecution } from './answers.service.ts';

/**
 * Ends the executions that stored reports confirm, in the transaction that stores these: a remote start whose session
 * started, a remote stop whose session ended, a requested message that arrived, a restart after which the device booted,
 * a scheduled change of availability that took effect. Works with stored data, so a report after a restart of the server
 * counts too. Returns the changes.
 */
export async function storeConfirmations(client: QueryClient, reports: Confirmations): Promise<AnsweredExecution[]> {
  const { started, sessions, messages, restarted, connected, reportedStatus } = reports;
  const confirmed = new Map<string, { by: Confirmation; deviceId: number | null }>();
  if (started.length > 0) {
    for (const id of await startedBy(client, started)) confirmed.set(id, { by: 'transactionStarted', deviceId: null });
  }
  if (sessions.length > 0) {
    for (const id of await endedBy(client, sessions)) confirmed.set(id, { by: 'transactionEnded', deviceId: null });
  }
  if (restarted.length + connected.length > 0) {
    for (const id of await restartedBy(client, restarted, connected))
      confirmed.set(id, { by: 'restarted', deviceId: null });
  }
  if (reportedStatus.length > 0) {
    for (const id of await changedBy(client, reportedStatus))
      confirmed.set(id, { by: 'availabilityChanged', deviceId: null });
  }
  for (const { executionId, deviceId } of messages) confirmed.set(executionId, { by: 'messageReceived', deviceId });
  if (confirmed.size === 0) return [];
  const ends = (await lockExecutions(client, [...confirmed.keys()])).flatMap((execution) => {
    const report = confirmed.get(execution.executionId);
    if (!report || (report.deviceId !== null && report.deviceId !== execution.deviceId)) return [];
    const next = nextExecution(execution, { type: 'confirmed', by: report.by });
    return next ? [{ executionId: execution.executionId, deviceId: execution.deviceId, execution: next }] : [];
  });
  await writeConfirmed(client, ends);
  return ends.map(({ deviceId, executionId }) => ({ deviceId, executionId }));
}

/**
 * Remote starts that match these sessions: by the number that was sent with the start (`remoteStartId` of OCPP 2.0.1),
 * or by its identifier at the same connector. Identifiers are case-insensitive (OCPP 1.6 §7.28, IdToken).
 */
async function startedBy(client: QueryClient, started: Confirmations['started']): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>({
    name: 'confirmed_started',
    text: `select distinct e.id
        from unnest($1::int[], $2::text[], $3::int[], $4::int[]) as r (device, tag, remote, connector)
        join executions e on e.device_id = r.device and e.state in ('sent', 'accepted')
        join commands c on c.id = e.command_id and c.kind = 'remoteStart'
       where r.remote = ('x' || left(e.id::text, 7))::bit(28)::int
          or lower(r.tag) = lower(c.params ->> 'idTag') and coalesce(r.connector, e.connector) = e.connector`,
    values: [
      started.map(({ deviceId }) => deviceId),
      started.map(({ idTag }) => idTag),
      started.map(({ remoteStartId }) => remoteStartId),
      started.map(({ connector }) => connector),
    ],
  });
  return rows.map(({ id }) => id);
}

/** Remote stops of devices whose session has ended, for any reason. */
async function endedBy(client: QueryClient, deviceIds: readonly number[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>({
    name: 'confirmed_ended',
    text: `select e.id
        from executions e
        join commands c on c.id = e.command_id and c.kind = 'remoteStop'
        join transactions t on t.id = (c.params ->> 'transactionId')::int and t.device_id = e.device_id
       where e.device_id = any($1::int[]) and e.state in ('sent', 'accepted') and t.stopped_at is not null`,
    values: [[...new Set(deviceIds)]],
  });
  return rows.map(({ id }) => id);
}

/**
 * Restarts that devices accepted and that are over: the device is back on a connection that opened after the command was
 * sent. In OCPP, a charge point that only reconnects has not restarted; the control unit of a storage unit has. Without
 * the acceptance a new connection proves nothing: the server may have restarted instead.
 */
async function restartedBy(
  client: QueryClient,
  restarted: readonly number[],
  connected: readonly number[],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>({
    name: 'confirmed_restarted',
    text: `select e.id
        from executions e
        join commands c on c.id = e.command_id
        join device_states s on s.device_id = e.device_id and s.connected_at > e.sent_at
       where e.state = 'accepted'
         and (e.device_id = any($1::int[]) and c.kind in ('softReset', 'hardReset', 'restartCcu')
              or e.device_id = any($2::int[]) and c.kind = 'restartCcu')`,
    values: [[...new Set(restarted)], [...new Set(connected)]],
  });
  return rows.map(({ id }) => id);
}

/**
 * Changes of availability that devices scheduled and that have taken effect, by the status of the connector, or of all
 * connectors for the device itself.
 */
async function changedBy(client: QueryClient, deviceIds: readonly number[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>({
    name: 'confirmed_changed',
    text: `select e.id
        from executions e join commands c on c.id = e.command_id
       where e.device_id = any($1::int[]) and e.state = 'accepted'
         and c.kind in ('disableSystem', 'disableConnector', 'enableSystem', 'enableConnector')
         and exists (select from connectors k where k.device_id = e.device_id and k.connector > 0
                        and e.connector in (0, k.connector))
         and not exists (
           select from connectors k
            where k.device_id = e.device_id and k.connector > 0 and e.connector in (0, k.connector)
              and (k.status = 'Unavailable') <> (c.kind in ('disableSystem', 'disableConnector')))`,
    values: [[...new Set(deviceIds)]],
  });
  return rows.map(({ id }) => id);
}
