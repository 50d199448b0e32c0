import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { type Program, startProgram } from '../program.ts';
import { seedWorld, type World } from '../world.ts';

/** What a program that is killed and started again leaves behind: its database with the test data, and its files. */
export interface Killable {
  database: TestDatabase;
  world: World;
  dataFolder: string;
  /** Starts the program: the first time, or after it was killed. `databaseUrl`: another way to its database. */
  start(databaseUrl?: string): Promise<Program>;
  /** Stops the program that was started last. */
  stop(): Promise<void>;
  /** Stops the program that was started last, and removes everything. */
  end(): Promise<void>;
}

/**
 * Prepares a program that a test kills. `port` is fixed, so that clients find the program again, and below the range of
 * ephemeral ports, so that no client socket takes it.
 */
export async function killable(
  port: number,
  { settings = {}, connections = 2 }: { settings?: Record<string, string>; connections?: number } = {},
): Promise<Killable> {
  const database = await createTestDatabase({ max: connections });
  const dataFolder = await mkdtemp(join(tmpdir(), 'chargehand-kill-'));
  const world = await seedWorld(database.db);
  let program: Program | undefined;
  return {
    ...{ database, world, dataFolder },
    async start(databaseUrl = database.url) {
      const own = { PORT: String(port), HOST: '127.0.0.1', DATABASE_URL: databaseUrl, CHARGEHAND_DATA: dataFolder };
      program = await startProgram({ ...settings, ...own });
      return program;
    },
    async stop() {
      await program?.stop();
      program = undefined;
    },
    async end() {
      await program?.stop();
      await database.drop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
