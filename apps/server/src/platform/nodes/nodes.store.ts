import type pg from 'pg';
import type { Query } from '../database/statement.ts';
import type { BusKind, NodeEnd, NodeLoad } from './tables.ts';

/** How long a lease lasts without a renewal. Seconds. */
export const LEASE_SECONDS = 30;
/** The channel on which nodes announce that they joined or left. */
export const NODES_CHANNEL = 'chargehand_nodes';
/** A renewal this far in the future was stored before the database's clock was set back. Seconds. */
const AHEAD_SECONDS = 5;

type Client = Pick<pg.ClientBase, 'query'>;

export interface NewNode {
  name: string;
  folder: string | null;
  roles: readonly string[];
  version: string;
  isShareable: boolean;
  bus: BusKind;
  session: string;
}

/** Adds a node. @returns its epoch, or null if another node has the name */
export async function insertNode(client: Client, node: NewNode): Promise<number | null> {
  const { rows } = await client.query<{ epoch: string }>(
    `insert into nodes (name, folder, roles, version, shareable, session, bus) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (name) where ended_at is null do nothing returning epoch`,
    [node.name, node.folder, node.roles, node.version, node.isShareable, node.session, node.bus],
  );
  return rows[0] ? Number(rows[0].epoch) : null;
}

/** Another node that has not ended. */
export interface OtherNode {
  epoch: number;
  name: string;
  roles: string[];
  addresses: string[];
  isShareable: boolean;
  bus: BusKind;
  session: string;
  renewals: number;
  /** by the database's clock, its lease is over */
  late: boolean;
}

const OTHERS = `select epoch::float8 as epoch, name, roles, addresses, shareable as "isShareable", bus, session, renewals::float8 as renewals,
    not clock_timestamp() between renewed_at - interval '${AHEAD_SECONDS} s' and renewed_at + interval '${LEASE_SECONDS} s' as late
  from nodes where ended_at is null`;

/** The nodes that have not ended. */
export async function listNodes(client: Client): Promise<OtherNode[]> {
  return (await client.query<OtherNode>(OTHERS)).rows;
}

/** Renews a lease. @returns whether it was still held, and the other nodes */
export async function renewLease(
  client: Client,
  epoch: number,
  now: { load: NodeLoad; addresses: readonly string[] },
): Promise<{ held: boolean; others: OtherNode[] }> {
  const { rowCount } = await client.query(
    `update nodes set renewed_at = clock_timestamp(), renewals = renewals + 1, load = $2, addresses = $3
      where epoch = $1 and ended_at is null`,
    [epoch, JSON.stringify(now.load), now.addresses],
  );
  const others = await listNodes(client);
  return { held: rowCount === 1, others: others.filter((other) => other.epoch !== epoch) };
}

/**
 * Ends a lease, unless it was renewed since `renewals`.
 * @returns whether this call ended it
 */
export async function endLease(client: Client, epoch: number, reason: NodeEnd, renewals?: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `update nodes set ended_at = clock_timestamp(), end_reason = $2
      where epoch = $1 and ended_at is null and renewals = coalesce($3, renewals)`,
    [epoch, reason, renewals ?? null],
  );
  return rowCount === 1;
}

/** Closes the sessions of a node. @returns how many there were */
export async function closeSessions(client: Client, session: string): Promise<number> {
  if (session === '') return 0;
  const { rows } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and starts_with(application_name, $1) and pid <> pg_backend_pid()`,
    [session],
  );
  return rows.length;
}

/** Deletes nodes that ended long ago and left nothing. */
export async function deleteEndedNodes(client: Client): Promise<void> {
  await client.query(
    `delete from nodes where cleared_at is not null and ended_at < clock_timestamp() - interval '7 days'`,
  );
}

/** A process that ended, and whose connections may not have returned. */
export interface LeftNode {
  epoch: number;
  reason: NodeEnd;
}

export async function listLeftNodes(client: Query): Promise<LeftNode[]> {
  const { rows } = await client.query<LeftNode>({
    text: `select epoch::float8 as epoch, end_reason as reason from nodes
      where ended_at is not null and cleared_at is null order by epoch`,
    values: [],
  });
  return rows;
}

/** Claims what an ended process left, for the transaction. @returns false if another process has it */
export async function claimLeftNode(client: Query, epoch: number): Promise<boolean> {
  const { rows } = await client.query<object>({
    text: `update nodes set cleared_at = clock_timestamp()
      where epoch = $1 and cleared_at is null and ended_at is not null returning epoch`,
    values: [epoch],
  });
  return rows.length > 0;
}
