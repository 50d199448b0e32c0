import { hostname } from 'node:os';
import type pg from 'pg';
import { type DirectClient, directClient } from '../database/connections/direct.ts';
import { SERVER_LOCK } from '../database/connections/only-server.ts';
import type { Log } from '../log.ts';
import {
  closeSessions,
  deleteEndedNodes,
  endLease,
  insertNode,
  LEASE_SECONDS,
  listNodes,
  NODES_CHANNEL,
  type OtherNode,
  renewLease,
} from './nodes.store.ts';
import type { BusKind, NodeLoad } from './tables.ts';

/** How often a lease is renewed, and how long a statement may take. Milliseconds. */
const RENEW_MS = 5_000;
const ANSWER_MS = 5_000;
/** Without a renewal for this time a node does nothing that another one might do: five seconds before its lease ends. */
const HOLD_MS = LEASE_SECONDS * 1_000 - 5_000;
/** Rounds without a renewal after which another node ends a lease. They are counted, because any clock may jump. */
const MISSED_ROUNDS = LEASE_SECONDS / (RENEW_MS / 1_000);
/** Rounds without a renewal after which the jobs of a node move. */
const SILENT_ROUNDS = 3;
/** How long to wait until the sessions of an ended node are closed: so often, with this pause (ms). */
const CLOSE_TRIES = 40;
const CLOSE_PAUSE_MS = 50;
const CLEAN_EVERY_ROUNDS = 720;
/** How long to wait for the end of a process whose files cannot be reached, or of its lease. Milliseconds. */
const SHARED_WAIT_MS = 15_000;
const SHARED_PAUSE_MS = 500;

/** One run of a process, with its lease. */
export interface Node {
  readonly name: string;
  /** what its writes are checked against */
  readonly epoch: number;
  /** the node in rows of what is connected to it */
  readonly key: string;
  /** False when the lease may have ended: send nothing, answer nothing. */
  holds(): boolean;
  /** no other node was there at the last renewal */
  alone(): boolean;
  /** another node with this role was there at the last renewal */
  hasPeer(role: string): boolean;
  /** an address of another node with this scheme, such as `ssh:`, as of the last renewal; null: none has one */
  peerAddress(scheme: string): string | null;
  /** other nodes that have not renewed for three rounds: their jobs may be taken */
  silentPeers(): number[];
  /** how far the clock of the database was ahead of the clock of this process at the last renewal (ms) */
  offsetMs(): number;
  /** Renews now, for example because a write was refused. */
  renew(): Promise<void>;
  /** Provides what the row of this node shows. */
  describe(read: () => { load: NodeLoad; addresses: readonly string[] }): void;
  /**
   * Called with true when this node could not renew for so long that others may take over what is connected to it, and with
   * false when it has renewed again. If no other node was there, it waits instead.
   */
  onCutOff(listener: (isCutOff: boolean) => void): void;
  /** Called after each renewal. */
  onRenewed(listener: (client: pg.ClientBase) => Promise<void> | void): void;
  /** Ends the lease: what was connected here has a minute to return elsewhere. */
  leave(): Promise<void>;
}

export interface NodeOptions {
  url: string;
  log: Log;
  roles: readonly string[];
  version: string;
  /** undefined: the host and the lowest free number */
  name?: string | undefined;
  /** identity of the data folder, whose lock this process holds; null: unknown */
  folder?: string | null;
  /** its settings let other processes share the database */
  isShareable?: boolean;
  /** what carries the messages between processes: the same for all of them */
  bus?: BusKind;
  /** What several processes need: refuses with this to join nodes that cannot share the database. */
  needs?: string;
  /** the beginning of the names of all sessions of this process in the database, unique for each run */
  session?: string;
  /** called once when the lease has ended: this process must stop */
  onLost?: (reason: string) => void;
  /** the interval of renewals, for tests. Milliseconds */
  renewMs?: number;
}

/** Adds this process to the nodes of the database, and renews its lease until it leaves. */
export async function joinNodes(options: NodeOptions): Promise<Node> {
  const {
    url,
    log,
    roles,
    version,
    folder = null,
    isShareable = false,
    bus = 'postgres',
    session = '',
    renewMs = RENEW_MS,
  } = options;
  const connect = async () => {
    const opened = await directClient(url, { name: `${session || 'chargehand'} lease`, answerMs: ANSWER_MS });
    opened.on('notification', ({ processId }) => {
      if (ready && processId !== (opened as unknown as { processID: number }).processID) void renew();
    });
    // A restore takes this lock alone.
    const { rows } = await opened.query<{ taken: boolean }>(
      `select pg_try_advisory_lock_shared(${SERVER_LOCK.join(', ')}) as taken`,
    );
    if (!rows[0]?.taken) throw new Error('A backup is being restored into this database.');
    await opened.query(`listen ${NODES_CHANNEL}`);
    return opened;
  };
  let client: DirectClient | null = await connect();
  let others: OtherNode[] = [];
  let lost = false;
  let left = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let ready = false;
  let round = 0;
  const missed = new Map<number, { renewals: number; rounds: number }>();
  const listeners: ((client: pg.ClientBase) => Promise<void> | void)[] = [];
  const cutListeners: ((isCutOff: boolean) => void)[] = [];
  let isCutOff = false;
  let describe = (): { load: NodeLoad; addresses: readonly string[] } => ({ load: NO_LOAD, addresses: [] });

  const lose = (reason: string) => {
    if (lost || left) return;
    lost = true;
    log.error({ reason }, 'the lease of this process has ended; it stops');
    options.onLost?.(reason);
  };

  if (folder !== null) await replaceFormer(client, folder, log);
  const { epoch, name } = await insert(client, {
    ...{ folder, roles, version, isShareable, bus, session },
    name: options.name,
  });
  try {
    const { needs } = options;
    if (needs !== undefined) await requireShareable(client, epoch, { isShareable, bus, needs, log });
  } catch (error) {
    await endLease(client, epoch, 'left');
    await client.end();
    throw error;
  }
  await client.query(`notify ${NODES_CHANNEL}`);
  others = (await listNodes(client)).filter((other) => other.epoch !== epoch);
  let offsetMs = await clockOffset(client);
  let renewedAt = performance.now();

  const holds = () => !lost && !left && performance.now() - renewedAt < HOLD_MS;

  const becomeCutOff = (now: boolean) => {
    isCutOff = now;
    for (const listener of cutListeners) listener(now);
  };

  /** Ends the leases of nodes that have stopped renewing. */
  async function endSilent(current: DirectClient): Promise<void> {
    for (const key of missed.keys()) if (!others.some((other) => other.epoch === key)) missed.delete(key);
    for (const other of others) {
      const known = missed.get(other.epoch);
      const rounds = known?.renewals === other.renewals ? known.rounds + 1 : 0;
      missed.set(other.epoch, { renewals: other.renewals, rounds });
      if (rounds < MISSED_ROUNDS || !other.late) continue;
      if (!(await endLease(current, other.epoch, 'expired', other.renewals))) continue;
      log.warn({ node: other.name, epoch: other.epoch }, 'a process stopped renewing its lease; its lease was ended');
      await closeAll(current, other.session);
      await current.query(`notify ${NODES_CHANNEL}`);
    }
  }

  async function take(isRound: boolean): Promise<void> {
    const began = performance.now();
    try {
      client ??= await connect();
      const current = client;
      const renewed = await renewLease(current, epoch, describe());
      if (!renewed.held) return lose('another process has ended it');
      renewedAt = began;
      if (isCutOff) becomeCutOff(false);
      others = renewed.others;
      offsetMs = await clockOffset(current);
      if (isRound) await endSilent(current);
      for (const listener of listeners) await listener(current);
      if (isRound && ++round % CLEAN_EVERY_ROUNDS === 1) await deleteEndedNodes(current);
    } catch (error) {
      log.debug({ err: error }, 'the lease could not be renewed; trying again');
      client?.drop();
      client = null;
      // Whether the database is away for all processes or only for this one is unknown here: the next renewal tells.
      if (isCutOff || holds() || others.length === 0) return;
      log.warn('this process cannot renew its lease; what is connected to it moves to other processes');
      becomeCutOff(true);
    }
  }

  async function renew(isRound = false): Promise<void> {
    if (lost || left) return;
    await running;
    if (lost || left) return;
    running ??= take(isRound).finally(() => {
      running = null;
    });
    await running;
  }

  /** Tells the others at once what this node is, such as its addresses. */
  async function announce(): Promise<void> {
    await renew();
    // A lost connection ends with the next renewal, and the others renew too.
    await client?.query(`notify ${NODES_CHANNEL}`).catch(() => undefined);
  }

  const schedule = () => {
    timer = setTimeout(async () => {
      await renew(true);
      if (!lost && !left) schedule();
    }, renewMs);
    timer.unref();
  };
  ready = true;
  schedule();

  return {
    ...{ name, epoch, key: String(epoch) },
    holds,
    alone: () => others.length === 0,
    hasPeer: (role) => others.some((other) => other.roles.includes(role)),
    peerAddress: (scheme) =>
      others
        .filter(({ epoch: peer }) => (missed.get(peer)?.rounds ?? 0) < SILENT_ROUNDS)
        .flatMap(({ addresses }) => addresses)
        .find((address) => address.startsWith(scheme)) ?? null,
    silentPeers: () => [...missed].filter(([, { rounds }]) => rounds >= SILENT_ROUNDS).map(([peer]) => peer),
    offsetMs: () => offsetMs,
    renew,
    describe(read) {
      describe = read;
      void announce();
    },
    onCutOff: (listener) => void cutListeners.push(listener),
    onRenewed: (listener) => void listeners.push(listener),
    async leave() {
      if (left) return;
      left = true;
      clearTimeout(timer);
      await running;
      try {
        client ??= await connect();
        await endLease(client, epoch, 'left');
        await client.query(`notify ${NODES_CHANNEL}`);
        await client.end();
      } catch (error) {
        log.debug({ err: error }, 'the lease was not ended; it will expire');
        client?.drop();
      }
    },
  };
}

/** How far the clock of the database is ahead of the one of this process (ms), to half of the time of a statement. */
async function clockOffset(client: DirectClient): Promise<number> {
  const began = Date.now();
  const { rows } = await client.query<{ at: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as at',
  );
  return Math.round(rows[0]!.at - (began + Date.now()) / 2);
}

const NO_LOAD: NodeLoad = { connections: 0, streams: 0, memoryBytes: 0, replica: null };

/** Adds a node with its name, or with the host and the lowest free number. */
async function insert(
  client: DirectClient,
  node: Omit<Parameters<typeof insertNode>[1], 'name'> & { name: string | undefined },
): Promise<{ name: string; epoch: number }> {
  for (let number = 1; ; number += 1) {
    const name = node.name ?? `${hostname().slice(0, 60)}-${number}`;
    const epoch = await insertNode(client, { ...node, name });
    if (epoch !== null) return { name, epoch };
    if (node.name !== undefined)
      throw new Error(`Another process has the name ${name} (CHARGEHAND_NODE). Give each process its own.`);
  }
}

/** @throws with a message if another node cannot share the database. Waits first, because it may have been killed. */
async function requireShareable(
  client: DirectClient,
  epoch: number,
  { isShareable, bus, needs, log }: { isShareable: boolean; bus: BusKind; needs: string; log: Log },
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const apart = (await listNodes(client)).find(
      (other) => other.epoch !== epoch && !other.late && !(isShareable && other.isShareable && other.bus === bus),
    );
    if (!apart) return;
    if (attempt * SHARED_PAUSE_MS > SHARED_WAIT_MS)
      throw new Error(`Another Chargehand process (${apart.name}) uses this database. ${needs}`);
    if (attempt === 0)
      log.info({ node: apart.name }, 'another process uses this database; waiting until it has stopped');
    await new Promise((resolve) => setTimeout(resolve, SHARED_PAUSE_MS));
  }
}

/** The lock of the data folder proves that the processes that used it before have ended. */
async function replaceFormer(client: DirectClient, folder: string, log: Log): Promise<void> {
  const { rows } = await client.query<{ epoch: string; session: string }>(
    'select epoch, session from nodes where folder = $1 and ended_at is null',
    [folder],
  );
  for (const { epoch, session } of rows) {
    log.info({ epoch: Number(epoch) }, 'the process before had not stopped');
    await endLease(client, Number(epoch), 'replaced');
    await closeAll(client, session);
  }
}

/** Closes the sessions of an ended node, and waits until they are closed: then none of its writes can be committed. */
async function closeAll(client: DirectClient, session: string): Promise<void> {
  for (let attempt = 0; attempt < CLOSE_TRIES && (await closeSessions(client, session)) > 0; attempt += 1)
    await new Promise((resolve) => setTimeout(resolve, CLOSE_PAUSE_MS));
}
