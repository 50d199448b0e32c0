import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  PostgresDriver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import { isConnectionLoss } from '../connections/connection-loss.ts';

export interface ReadingParts {
  primary: pg.Pool;
  replica: pg.Pool;
  /** whether the replica may be read now */
  isUsed(): boolean;
  /** the replica did not answer */
  onLost(reason: string): void;
}

/**
 * Reads from a replica. A statement that the replica cannot answer, because it is away or cancelled it to replay the log, goes to
 * the primary; in a transaction it fails, because the transaction is lost.
 */
export class ReadingDialect extends PostgresDialect {
  readonly #parts: ReadingParts;

  constructor(parts: ReadingParts) {
    super({ pool: parts.primary });
    this.#parts = parts;
  }

  override createDriver(): Driver {
    return new ReadingDriver(this.#parts);
  }
}

class ReadingDriver implements Driver {
  readonly #parts: ReadingParts;
  readonly #primary: PostgresDriver;
  readonly #replica: PostgresDriver;

  constructor(parts: ReadingParts) {
    this.#parts = parts;
    this.#primary = new PostgresDriver({ pool: parts.primary });
    this.#replica = new PostgresDriver({ pool: parts.replica });
  }

  async init(): Promise<void> {
    await this.#primary.init();
    await this.#replica.init();
  }

  async acquireConnection(): Promise<ReadingConnection> {
    const { isUsed, onLost } = this.#parts;
    if (isUsed()) {
      try {
        const inner = await this.#replica.acquireConnection();
        return new ReadingConnection(inner, this.#replica, { onLost, onPrimary: (query) => this.#onPrimary(query) });
      } catch (error) {
        if (!isConnectionLoss(error)) throw error;
        onLost((error as Error).message);
      }
    }
    return new ReadingConnection(await this.#primary.acquireConnection(), this.#primary, null);
  }

  async #onPrimary(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const connection = await this.#primary.acquireConnection();
    try {
      return await connection.executeQuery(query);
    } finally {
      await this.#primary.releaseConnection(connection as never);
    }
  }

  async beginTransaction(connection: ReadingConnection, settings: TransactionSettings): Promise<void> {
    connection.isInTransaction = true;
    await connection.driver.beginTransaction(connection.inner, settings);
  }

  async commitTransaction({ driver, inner }: ReadingConnection): Promise<void> {
    await driver.commitTransaction(inner);
  }

  async rollbackTransaction({ driver, inner }: ReadingConnection): Promise<void> {
    await driver.rollbackTransaction(inner as never);
  }

  async releaseConnection({ driver, inner }: ReadingConnection): Promise<void> {
    await driver.releaseConnection(inner as never);
  }

  async destroy(): Promise<void> {
    // The pools belong to others.
  }
}

/** SQLSTATE of a statement that a standby cancels because it conflicts with what it must replay. */
const CONFLICT = '40001';
/** SQLSTATE query_canceled: by its timeout. */
const CANCELED = '57014';

interface Fallback {
  onLost(reason: string): void;
  onPrimary(query: CompiledQuery): Promise<QueryResult<unknown>>;
}

class ReadingConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  readonly driver: PostgresDriver;
  isInTransaction = false;
  readonly #fallback: Fallback | null;

  /** @param fallback null: it is a connection to the primary */
  constructor(inner: DatabaseConnection, driver: PostgresDriver, fallback: Fallback | null) {
    this.inner = inner;
    this.driver = driver;
    this.#fallback = fallback;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await this.inner.executeQuery<Row>(query);
    } catch (error) {
      const { code } = error as { code?: unknown };
      // A statement that took too long would take as long on the primary.
      const isLost = isConnectionLoss(error) && code !== CANCELED;
      if (this.#fallback === null || !(isLost || code === CONFLICT)) throw error;
      if (isLost) this.#fallback.onLost((error as Error).message);
      if (this.isInTransaction) throw error;
      return (await this.#fallback.onPrimary(query)) as QueryResult<Row>;
    }
  }

  streamQuery<Row>(query: CompiledQuery, size: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.inner.streamQuery<Row>(query, size);
  }
}
