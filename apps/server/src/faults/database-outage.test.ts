import { connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../testing/database/database.ts';
import { connectRaw, eventually, startTestbed, type Testbed } from '../testing/gateways/gateway-testbed.ts';

/** A connection to the database that can be interrupted, with everything in flight, and restored. */
interface Cut {
  pool: pg.Pool;
  cut(): void;
  /** how many connections were refused during the interruption */
  refused(): number;
  restore(): void;
  close(): Promise<void>;
}

async function cuttable(url: string): Promise<Cut> {
  const target = new URL(url);
  const folder = target.searchParams.get('host');
  const sockets = new Set<Socket>();
  let open = true;
  let refused = 0;
  const server: Server = createServer((inside) => {
    if (!open) {
      refused += 1;
      return inside.destroy();
    }
    const outside = folder
      ? connect(`${folder}/.s.PGSQL.${target.port || 5432}`)
      : connect(Number(target.port || 5432), target.hostname);
    for (const [one, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const pool = new pg.Pool({
    host: '127.0.0.1',
    port,
    user: decodeURIComponent(target.username),
    password: decodeURIComponent(target.password),
    database: target.pathname.slice(1),
    max: 6,
    connectionTimeoutMillis: 2_000,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    pool,
    cut() {
      open = false;
      for (const socket of sockets) socket.destroy();
    },
    refused: () => refused,
    restore() {
      open = true;
    },
    async close() {
      await pool.end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('during a database outage, devices wait for their answers; afterwards everything is stored, and nothing twice', async () => {
  const database = await createTestDatabase();
  const way = await cuttable(database.url);
  const bed: Testbed = await startTestbed({}, { database, sinkPool: way.pool });
  const points = [];
  for (let number = 0; number < 10; number += 1) {
    await bed.addDevice(`CUT-${number}`);
    points.push(await connectRaw(`${bed.url}/CUT-${number}`));
  }
  const at = Date.now();
  let sent = 0;
  let answered = 0;
  let stop = false;
  const reading = (time: number) => ({
    connectorId: 1,
    meterValue: [{ timestamp: new Date(time).toISOString(), sampledValue: [{ value: '1' }] }],
  });
  const loops = points.map(async (point) => {
    while (!stop) {
      sent += 1;
      const answer = await point.call('MeterValues', reading(at + sent));
      expect(answer[0]).toBe(3);
      answered += 1;
    }
  });
  // Interrupted repeatedly, so that some batches are interrupted during their commit.
  for (let round = 0; round < 15; round += 1) {
    const before = answered;
    await eventually(
      () => answered,
      (count) => count >= before + 20,
      { what: '20 more answers' },
    );
    const [held, refused] = [answered, way.refused()];
    way.cut();
    await eventually(way.refused, (count) => count > refused, { what: 'a batch to be tried again' });
    expect(answered - held).toBeLessThanOrEqual(points.length);
    way.restore();
  }
  stop = true;
  await Promise.all(loops);
  expect(answered).toBe(sent);
  const { rows } = await bed.pool.query(
    'select count(*)::int as all, count(distinct at)::int as different from readings',
  );
  expect(rows).toEqual([{ all: sent, different: sent }]);
  const frames = await bed.pool.query(`select count(*)::int as n from protocol_frames where action = 'MeterValues'`);
  expect(frames.rows).toEqual([{ n: 2 * sent }]);
  await bed.stop();
  await way.close();
  await database.drop();
}, 240_000);
