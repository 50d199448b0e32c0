// Every list of the console with 1,000 customers, 10,000 sites, 100,000 devices and 20,000 users: its first page and a
// filtered one over HTTP, compared with a bare `node:http` handler that runs the bare SQL of the same page through
// `pg`. Then the same lists for a user with 500 assigned sites, compared with root. Prints the ratios of p95; the goals
// are at most 4 and 1.5. Then the global search for root, for 500 assigned sites, and for eight: p95 at most 100 ms. Also prints the time of the SQL without HTTP: below a millisecond, HTTP dominates.
import { Agent } from 'node:http';
import { at, bareServer, fetched, ms, printPlan, startSides, timed } from '../side-by-side.ts';
import { ASSIGNED, CUSTOMERS, FILES, fillOrganisation, SITES, USERS } from './organisation.ts';
import { SCOPED, SEARCHES, SHAPES, searchOf } from './shapes.ts';

const LIMIT = 4;
const SCOPE_LIMIT = 1.5;
const SEARCH_LIMIT_MS = 100;
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 1_000);
const ROUNDS = 5;
const explain = process.argv.includes('--explain');
/** Only the lists whose name starts with this text. */
const only = process.env.BENCH_LIST ?? '';

const sides = await startSides();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const bare = await bareServer(sides.floor);
try {
  const readers = await fillOrganisation(sides.database.pool);
  const root = await sides.cookieOf(readers.root);
  const assigned = await sides.cookieOf(readers.assigned);
  const { rows } = await sides.floor.query<Record<'customer' | 'site' | 'role' | 'folder', number>>(
    `select (select min(id) from customers where code = 'C42') as customer, (select min(id) from sites) as site,
            (select id from roles where name = 'Role 7') as role, (select min(id) from folders) as folder`,
  );
  const filled = (text: string) =>
    text.replace(/\$(customer|site|role|folder)/g, (_, name: 'site') => String(rows[0]?.[name]));
  const open = (cookie: string, path: string) => () =>
    fetched(agent, `${sides.url}/api/auth/sys/${filled(path)}`, cookie);

  const number = (value: number) => value.toLocaleString('en');
  console.log(
    `lists: ${number(CUSTOMERS)} customers, ${number(SITES)} sites, 100,000 devices, ${number(USERS)} users, ${number(FILES)} files; p95 of ${REQUESTS} requests each`,
  );
  const worst = await compare(
    SHAPES.filter(({ name }) => name.startsWith(only)).map(({ name, path, bare: shape }) => ({
      name,
      floor: () => fetched(agent, bare.url, undefined),
      sql: shape.map(filled),
      ours: open(root, path),
    })),
  );
  const kept = worst <= LIMIT;
  console.log(`worst ratio to the bare handler ${worst.toFixed(2)} (at most ${LIMIT}): ${kept ? 'kept' : 'MISSED'}`);

  console.log(`\nscope of ${ASSIGNED} assigned sites compared with root`);
  const widest = await compare(
    SCOPED.filter(({ name }) => name.startsWith(only)).map(({ name, path }) => ({
      name,
      floor: open(root, path),
      ours: open(assigned, path),
      sql: [],
    })),
  );
  const narrow = widest <= SCOPE_LIMIT;
  console.log(`worst ratio to root ${widest.toFixed(2)} (at most ${SCOPE_LIMIT}): ${narrow ? 'kept' : 'MISSED'}`);

  const fast = only !== '' || (await searchAll());
  if (!kept || !narrow || !fast) process.exitCode = 1;

  /** Measures the global search of three users; true if it is within the limit. */
  async function searchAll(): Promise<boolean> {
    console.log('\nglobal search; the floor is one query of each kind for root');
    const slowest = [await search('root', root), await search(`${ASSIGNED} sites`, assigned)];
    await sides.floor.query(
      `delete from user_sites where user_id = $1 and site_id not in (
         select site_id from user_sites where user_id = $1 order by site_id limit 8)`,
      [readers.assigned],
    );
    slowest.push(await search('8 sites', assigned));
    const p95 = Math.max(...slowest);
    const fast = p95 <= SEARCH_LIMIT_MS;
    console.log(`slowest p95 of a search ${ms(p95)} (at most ${SEARCH_LIMIT_MS} ms): ${fast ? 'kept' : 'MISSED'}`);
    return fast;
  }
} finally {
  agent.destroy();
  await bare.stop();
  await sides.stop();
}

/** Measures the searches of a user, each after its floor, prints them, and returns the slowest p95 in milliseconds. */
async function search(who: string, cookie: string): Promise<number> {
  let slowest = 0;
  for (const typed of SEARCHES) {
    const path = `${sides.url}/api/auth/sys/search?search=${encodeURIComponent(typed)}`;
    const ours = () => fetched(agent, path, cookie);
    const floor = () => fetched(agent, bare.url, undefined);
    bare.serve(searchOf(typed));
    await timed(10, ours);
    await timed(10, floor);
    const least = await timed(REQUESTS / ROUNDS, floor);
    const made = await timed(REQUESTS / ROUNDS, ours);
    slowest = Math.max(slowest, at(made, 0.95));
    console.log(
      `  ${`${who}: ${typed}`.padEnd(24)} floor p50 ${ms(at(least, 0.5))} p95 ${ms(at(least, 0.95))}   search p50 ${ms(at(made, 0.5))} p95 ${ms(at(made, 0.95))}`,
    );
  }
  return slowest;
}

interface Pair {
  name: string;
  floor: () => Promise<unknown>;
  ours: () => Promise<unknown>;
  /** the queries of the floor, when it is the bare server */
  sql: readonly string[];
}

/** Measures pairs in turns, prints them, and returns the worst ratio. */
async function compare(pairs: readonly Pair[]): Promise<number> {
  let worst = 0;
  for (const { name, floor, ours, sql } of pairs) {
    if (explain) for (const text of sql) await printPlan(sides.floor, name, text);
    bare.serve(sql);
    const alone = await timed(30, () => Promise.all(sql.map((text) => sides.floor.query(text))));
    await timed(20, floor);
    await timed(20, ours);
    const least: number[] = [];
    const made: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      least.push(...(await timed(REQUESTS / ROUNDS, floor)));
      made.push(...(await timed(REQUESTS / ROUNDS, ours)));
    }
    const ratio = at(made, 0.95) / at(least, 0.95);
    worst = Math.max(worst, ratio);
    console.log(
      `  ${name.padEnd(24)} ${sql.length > 0 ? `SQL alone p50 ${ms(at(alone, 0.5))}   ` : ''}floor p50 ${ms(at(least, 0.5))} p95 ${ms(at(least, 0.95))}   list p50 ${ms(at(made, 0.5))} p95 ${ms(at(made, 0.95))}   ratio ${ratio.toFixed(2)}`,
    );
  }
  return worst;
}
