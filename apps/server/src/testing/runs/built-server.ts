import { inject } from 'vitest';
import { buildServer } from '../../../../../scripts/build/server-bundle.mjs';
import { connectDatabase } from '../../platform/database/connect.ts';

/** A number for an advisory lock in the database of the tests. */
const BUILD_LOCK = 71_430;

/** Builds the server for `startProgram` with `built`, unless it is built. Test files that need it wait for each other. */
export async function buildServerOnce(): Promise<void> {
  const { pool, close } = connectDatabase(inject('postgres').url, { max: 1 });
  const lock = await pool.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [BUILD_LOCK]);
    buildServer();
  } finally {
    // The end of the connection releases the lock.
    lock.release(true);
    await close();
  }
}
