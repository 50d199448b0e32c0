import { setTimeout as wait } from 'node:timers/promises';
import { CompiledQuery, type DatabaseConnection, type Driver, PostgresDialect, PostgresDriver } from 'kysely';
import type pg from 'pg';
import { isConnectionLoss } from '../database/connections/connection-loss.ts';
import { uniqueViolation } from '../database/violations.ts';
import { Problem } from '../http/problem.ts';
import { type RecordedRequest, RepeatedRequest, recordedRequest } from './recorded-request.ts';

/** How long to look for the result of a COMMIT whose answer was lost. Milliseconds. */
const RESULT_WITHIN_MS = 10_000;
const AGAIN_MS = 100;

/**
 * PostgreSQL for requests that change something. The first transaction of a request with a key stores the key, so that
 * it is committed together with the change. When the connection is lost during COMMIT, the database says afterwards
 * whether it was committed (`pg_xact_status`), and the caller gets that result. Transactions outside such a request are
 * unchanged.
 */
export class RecordingDialect extends PostgresDialect {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): Driver {
    return new RecordingDriver(this.#pool);
  }
}

class RecordingDriver extends PostgresDriver {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    super({ pool });
    this.#pool = pool;
  }

  /** @throws {RepeatedRequest} when another request with the same key was committed first */
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const request = recordedRequest.getStore();
    if (!request || request.ended) return await super.commitTransaction(connection);
    const transaction = await record(connection, request);
    try {
      await super.commitTransaction(connection);
    } catch (error) {
      if (transaction === null || !isConnectionLoss(error)) throw error;
      if (!(await wasCommitted(this.#pool, transaction))) throw error;
    }
    if (transaction !== null) request.recorded = true;
  }
}

/** Stores the key, unless nothing was changed or it is stored already. Returns the transaction ID; null without a change. */
async function record(connection: DatabaseConnection, request: RecordedRequest): Promise<string | null> {
  const { key, recorded } = request;
  const query =
    recorded || key === null
      ? CompiledQuery.raw('select pg_current_xact_id_if_assigned()::text as id')
      : CompiledQuery.raw(
          `with own as materialized (select pg_current_xact_id_if_assigned()::text as id),
              added as (insert into request_keys (key_hash, fingerprint)
                        select $1::bytea, $2::bytea from own where id is not null)
         select id from own`,
          [key.hash, key.fingerprint],
        );
  try {
    const { rows } = await connection.executeQuery<{ id: string | null }>(query);
    return rows[0]?.id ?? null;
  } catch (error) {
    if (uniqueViolation(error) === 'request_keys_pkey') throw new RepeatedRequest();
    throw error;
  }
}

/**
 * Whether a transaction was committed.
 * @throws {Problem} `resultUnknown` when the database does not say within `RESULT_WITHIN_MS`
 */
async function wasCommitted(pool: pg.Pool, transaction: string): Promise<boolean> {
  const deadline = performance.now() + RESULT_WITHIN_MS;
  while (performance.now() < deadline) {
    try {
      const { rows } = await pool.query<{ status: string | null }>('select pg_xact_status($1::xid8) as status', [
        transaction,
      ]);
      const status = rows[0]?.status;
      if (status === 'committed') return true;
      if (status === 'aborted') return false;
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
    }
    await wait(AGAIN_MS);
  }
  throw new Problem('resultUnknown', { status: 503 });
}
