// Reads what consoles read, in a thread of its own, with a connection of its own. Each message from the parent is a number
// of rounds, and is answered with the times of their queries in milliseconds. Every round has the same queries.
import { setTimeout as pass } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';

const { url, customerId, userId, roundMs } = workerData as Record<'customerId' | 'userId' | 'roundMs', number> & {
  url: string;
};

const READS: readonly [string, unknown[]][] = [
  [
    `select d.id, d.name, d.status, s.name as site,
            (select count(*) from alarms a where a.device_id = d.id and a.cleared_at is null) as open
       from devices d join sites s on s.id = d.site_id
      where d.customer_id = $1 order by d.name, d.id limit 20`,
    [customerId],
  ],
  [
    `select a.id, a.code, a.level, a.raised_at, d.name from alarms a join devices d on d.id = a.device_id
      where d.customer_id = $1 and a.cleared_at is null order by a.raised_at desc limit 20`,
    [customerId],
  ],
  [
    `select m.id, i.type, i.members, i.open, m.read_at from messages m join incidents i on i.id = m.incident_id
      where m.user_id = $1 order by m.updated_at desc, m.id desc limit 20`,
    [userId],
  ],
];

const client = new pg.Client({ connectionString: url });
await client.connect();
parentPort?.on('message', (rounds: number) => {
  void read(rounds).then((times) => parentPort?.postMessage(times));
});

/** Rounds start at fixed times, so that slow queries do not make fewer of them. */
async function read(rounds: number): Promise<number[]> {
  const times: number[] = [];
  const start = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    const wait = start + round * roundMs - performance.now();
    if (wait > 0) await pass(wait);
    for (const [text, values] of READS) {
      const from = performance.now();
      await client.query(text, values);
      times.push(performance.now() - from);
    }
  }
  return times;
}
