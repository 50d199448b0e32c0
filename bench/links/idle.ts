import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { goal, MB } from './figures.ts';
import { type LinkWorld, start } from './world.ts';

const LINKS = 1_000;
/** Links that were open before, so that code and caches are not counted. */
const WARM_UP = 200;
const SETTLE_MS = 5_000;
/** The memory is measured when the process returns less than this to the system. Megabytes. */
const SETTLED_MB = 1;
const MAX_SETTLES = 12;
/** CPU time is measured so long. */
const QUIET_MS = 10_000;
const GOAL_MB = 60;

interface Use {
  rss: number;
  used: number;
  /** a share of a core */
  cpu: number;
}

/** What the server answers, with seconds of CPU time. */
interface Answer {
  rss: number;
  used: number;
  cpuBefore: number;
  cpu: number;
}

/**
 * The memory and the CPU time of the server with idle links. Their devices are in another process. The first links use
 * memory that the process has from its start and may even make it smaller, so as many more are measured.
 */
export async function measureIdle(world: LinkWorld): Promise<void> {
  await withDevices(world, WARM_UP, () => pause(SETTLE_MS));
  const none = await quiet(world);
  const [some, more] = await withDevices(world, LINKS, async () => {
    const some = await quiet(world);
    return [some, await withDevices(world, LINKS, () => quiet(world))] as const;
  });
  const [first, second] = [growth(none, some), growth(some, more)];
  console.log(
    `idle: ${LINKS} links ${text(first)}, as many more ${text(second)}: ` +
      `${goal('memory of idle links at most', Math.max(first.rss, second.rss, first.used, second.used), GOAL_MB, 'MB')}; ` +
      `CPU of the server ${percent(none)} without links, ${percent(some)}, ${percent(more)} of a core`,
  );
}

function growth(from: Use, to: Use) {
  return { rss: (to.rss - from.rss) / MB, used: (to.used - from.used) / MB };
}

const text = ({ rss, used }: { rss: number; used: number }) =>
  `${rss.toFixed(1)} MB (objects and buffers ${used.toFixed(1)} MB)`;
const percent = ({ cpu }: Use) => `${(cpu * 100).toFixed(1)} %`;

/** The memory of the server, and its share of a core. */
async function quiet({ server }: LinkWorld): Promise<Use> {
  let last = await server.ask<Answer>({});
  for (let count = 0; count < MAX_SETTLES; count += 1) {
    await pause(SETTLE_MS);
    const next = await server.ask<Answer>({});
    const returned = (last.rss - next.rss) / MB;
    last = next;
    if (returned < SETTLED_MB) break;
  }
  const from = performance.now();
  await pause(QUIET_MS);
  const seconds = (performance.now() - from) / 1_000;
  const { rss, used, cpuBefore } = await server.ask<Answer>({});
  return { rss: Math.min(rss, last.rss), used, cpu: (cpuBefore - last.cpu) / seconds };
}

/** Opens links from another process while something runs. */
async function withDevices<T>(world: LinkWorld, count: number, run: () => Promise<T>): Promise<T> {
  const { pool } = world.base.database;
  const { rows } = await pool.query<{ id: number }>(
    `insert into links (kind, device_id, device_sn, device_name, customer_id, site_id, port, reason, minutes, until,
                        requested_by, requested_by_name, control_level, ticket_hash, ticket_until)
     select 'ssh', d.id, d.sn, d.name, d.customer_id, d.site_id, 22, 'Benchmark', 60, now() + interval '1 hour',
            $2, 'root', m.control_level, $3, now() + interval '2 min'
       from devices d join device_models m on m.id = d.device_model_id, generate_series(1, $4::int)
      where d.id = $1 returning id`,
    [world.device.id, world.userId, createHash('sha256').update('ticket').digest(), count],
  );
  const ids = rows.map(({ id }) => id);
  const { child } = await start('idle-devices.ts', []);
  try {
    await child.ask({ port: world.linksPort, users: ids.map((id) => `${world.device.sn}.${id}`) });
    const result = await run();
    const open = await pool.query(`select from links where state = 'open' and id = any ($1)`, [ids]);
    if (open.rowCount !== count) throw new Error(`only ${open.rowCount} of ${count} links stayed open`);
    return result;
  } finally {
    await child.stop();
    while ((await pool.query(`select from links where state <> 'ended' and id = any ($1)`, [ids])).rowCount)
      await pause(100);
  }
}
