// Reads what consoles read, in a thread of its own, with a connection of its own. Each message from the parent ends a
// period and is answered with its times in milliseconds.
import { setTimeout as pass } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';

const { url, customerId, userId } = workerData as { url: string; customerId: number; userId: number };
/** The pause between two queries, as 20 per second. Milliseconds. */
const PAUSE_MS = 50;

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
let times: number[] = [];
let ended = false;
parentPort?.on('message', (message: 'period' | 'end') => {
  parentPort?.postMessage(times);
  times = [];
  ended = message === 'end';
});
for (let index = 0; !ended; index += 1) {
  const [text, values] = READS[index % READS.length]!;
  const from = performance.now();
  await client.query(text, values);
  times.push(performance.now() - from);
  await pass(PAUSE_MS);
}
await client.end();
