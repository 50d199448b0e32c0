import { expect } from 'vitest';
import type { TestDatabase } from '../database/database.ts';
import type { Program } from '../program.ts';

/** Takes a lock that a program needs for a step, so that it waits there. Returns how to release it. */
export async function hold({ pool }: Pick<TestDatabase, 'pool'>, lock: string): Promise<() => Promise<void>> {
  const holder = await pool.connect();
  await holder.query(`begin; set local idle_in_transaction_session_timeout = 0; ${lock}`);
  return async () => {
    await holder.query('rollback');
    holder.release();
  };
}

/** Waits until a query of a program that contains a text waits for a lock, kills the program there, and releases it. */
export async function killAt(
  { pool }: Pick<TestDatabase, 'pool'>,
  program: Pick<Program, 'kill'>,
  text: string,
  release: () => Promise<void>,
): Promise<void> {
  const waiting = async () => {
    const { rows } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and position($1 in query) > 0`,
      [text],
    );
    return rows.length;
  };
  await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(0);
  await program.kill();
  await release();
}
