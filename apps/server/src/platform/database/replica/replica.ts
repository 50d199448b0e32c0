import { Kysely } from 'kysely';
import type pg from 'pg';
import type { Log } from '../../log.ts';
import { connectDatabase } from '../connect.ts';
import type { Database } from '../schema.ts';
import { ReadingDialect } from './reading-dialect.ts';

/** How often the replica is compared with the primary, and how long each of them may take to answer. Milliseconds. */
const CHECK_MS = 2_000;
const ANSWER_MS = 5_000;
/** Positions of the primary that are remembered: more than the longest lag that may be allowed. */
const MOST_POSITIONS = 2_000;

/** Where long reads go: `used`, or why they go to the primary. */
export type ReplicaState = 'used' | 'late' | 'away';

/** A streaming replica for reads that may be some seconds old. */
export interface Replica {
  /** Reads from the replica while it is not late, otherwise from the primary. */
  db: Kysely<Database>;
  /** null: it has not answered yet */
  now(): { state: ReplicaState; lagSeconds: number | null };
  stop(): Promise<void>;
}

/** A position in the log of the primary, and when (`performance.now()`) it was there. */
interface Position {
  lsn: string;
  at: number;
}

/**
 * Opens a replica. Its lag is the age of the oldest position of the primary that it has not replayed: the time of its last
 * transaction would say nothing while nothing is written, and a receiver that is disconnected has nothing to compare with.
 * @param parts maxLagSeconds: beyond it, reads go to the primary
 */
export function openReplica(parts: {
  url: string;
  primary: pg.Pool;
  connections: number;
  maxLagSeconds: number;
  log: Log;
}): Replica {
  const { url, primary, connections, maxLagSeconds, log } = parts;
  const replica = connectDatabase(url, {
    max: connections,
    applicationName: 'chargehand replica',
    connectTimeout: ANSWER_MS,
  });
  const watch = connectDatabase(url, {
    max: 1,
    applicationName: 'chargehand replica watch',
    connectTimeout: ANSWER_MS,
  });
  let positions: Position[] = [];
  let state: ReplicaState = 'away';
  let lagSeconds: number | null = null;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const become = (next: ReplicaState, reason?: string) => {
    if (next !== state) {
      if (next === 'used') log.info('charts, exports and logs are read from the replica');
      else
        log.warn({ reason, lagSeconds }, `the replica is ${next}; charts, exports and logs are read from the primary`);
    }
    state = next;
  };

  async function check(): Promise<void> {
    const at = performance.now();
    const { lsn } = await one<{ lsn: string }>(primary, 'select pg_current_wal_lsn()::text as lsn');
    if (positions.length < MOST_POSITIONS) positions.push({ lsn, at });
    try {
      const { replayed } = await one<{ replayed: number | null }>(
        watch.pool,
        `select case when pg_is_in_recovery()
           then (select count(*) from unnest($1::pg_lsn[]) as p (lsn) where lsn <= pg_last_wal_replay_lsn())::int end as replayed`,
        [positions.map((position) => position.lsn)],
      );
      if (replayed === null) {
        lagSeconds = null;
        return become('away', 'DATABASE_REPLICA_URL does not lead to a standby');
      }
      positions = positions.slice(replayed);
      lagSeconds = positions[0] ? (performance.now() - positions[0].at) / 1_000 : 0;
      become(lagSeconds > maxLagSeconds ? 'late' : 'used');
    } catch (error) {
      lagSeconds = positions[0] ? (performance.now() - positions[0].at) / 1_000 : null;
      become('away', error instanceof Error ? error.message : String(error));
    }
  }

  const schedule = () => {
    timer = setTimeout(async () => {
      // Without the primary nothing is known, and nothing else works either.
      await check().catch((error: unknown) => log.debug({ err: error }, 'the replica could not be compared'));
      if (!stopped) schedule();
    }, CHECK_MS);
    timer.unref();
  };
  const first = check().catch(() => undefined);
  schedule();
  const dialect = new ReadingDialect({
    ...{ primary, replica: replica.pool },
    isUsed: () => state === 'used',
    onLost: (reason) => become('away', reason),
  });
  return {
    db: new Kysely<Database>({ dialect }),
    now: () => ({ state, lagSeconds }),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await first;
      await Promise.all([replica.close(), watch.close()]);
    },
  };
}

async function one<Row extends pg.QueryResultRow>(pool: pg.Pool, text: string, values: unknown[] = []): Promise<Row> {
  const { rows } = await pool.query<Row>({ text, values, query_timeout: ANSWER_MS } as pg.QueryConfig);
  return rows[0]!;
}
