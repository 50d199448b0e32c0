import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { type Program, startProgram } from '../program.ts';
import { seedWorld, type World } from '../world.ts';

/** The product in a separate process that measures the stalls of its event loop, on a database with test data. */
export interface MeteredServer {
  program: Program;
  database: TestDatabase;
  world: World;
  stop(): Promise<void>;
}

/** @param port of HTTP; below the range of ephemeral ports, so that no client socket takes it */
export async function startMeteredServer(
  port: number,
  environment: Record<string, string> = {},
): Promise<MeteredServer> {
  const database = await createTestDatabase({ max: 4 });
  const world = await seedWorld(database.db);
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-stalls-'));
  const program = await startProgram(
    {
      ...{ PORT: String(port), HOST: '127.0.0.1', DATABASE_URL: database.url, CHARGEHAND_DATA: folder },
      // Their search is measured too.
      CHARGEHAND_SHIPPED_DOCUMENTS: 'on',
      ...environment,
    },
    { meter: true },
  );
  return {
    ...{ program, database, world },
    async stop() {
      await program.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
