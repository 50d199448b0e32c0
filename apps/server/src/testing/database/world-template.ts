// A process of the test run: fills the database in its argument with the test data, starts the product on it once, and
// writes the test data to standard output. Copies of the database start in a quarter of the time of an empty one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChargehand } from '../../chargehand.ts';
import { connectDatabase } from '../../platform/database/connect.ts';
import { createLog } from '../../platform/log.ts';
import { manualClock } from '../clock.ts';
import { testConfig } from '../config.ts';
import { seedWorld } from '../world.ts';

const database = connectDatabase(process.argv[2]!, { max: 8 });
const folder = await mkdtemp(join(tmpdir(), 'chargehand-template-'));
const world = await seedWorld(database.db);
const chargehand = await startChargehand(testConfig(folder), database, createLog('error'), null, manualClock());
await chargehand.stop();
// The next start would record the time since then as a gap.
await database.pool.query('delete from server_beats; delete from nodes');
await database.close();
await rm(folder, { recursive: true });
process.stdout.write(JSON.stringify(world));
