import type { Pool } from 'pg';
import { fill } from '../side-by-side.ts';

export const DEVICES = 100_000;
const MODELS = 12;

/** The number of customers and sites of the fleet. */
interface Places {
  customers: number;
  sites: number;
}

/** Users who open the list: root sees all, `own` one customer, `assigned` eight sites of that customer. */
export interface Readers {
  root: number;
  own: number;
  assigned: number;
}

/** Fills a migrated database with a large, realistic fleet, and with users of three scopes. */
export async function fillFleet(
  pool: Pool,
  { customers, sites }: Places = { customers: 50, sites: 1_000 },
): Promise<Readers> {
  await fill(
    pool,
    `
    insert into customers (code, name, search_words) select 'C' || n, 'Customer ' || n, '' from generate_series(1, ${customers}) n;
    insert into sites (customer_id, code, name, search_words)
      select c.id, 'S' || n, '站点 Site ' || n, 'zhandian zd 点 d zhandiansite' || n || ' zdsite' || n from generate_series(1, ${sites}) n
        join customers c on c.code = 'C' || (n % ${customers} + 1);
    insert into device_models (name, type, vendor) select 'Model ' || n, 1 + n % 6, 'Vendor' from generate_series(1, ${MODELS}) n;
    insert into devices (sn, name, site_id, customer_id, device_model_id, status, status_since, soft_version, search_words)
      select 'CP' || lpad((n * 7919 % ${DEVICES})::text, 8, '0'), s.name || ' ' || n, s.id, s.customer_id, m.id,
             (array['idle','idle','idle','idle','working','working','offline','faulted','maintain','disabled'])[1 + n * 7919 / 13 % 10],
             now() - make_interval(secs => n * 37 % 1000000), 'v1.' || n % 9, s.search_words || n
        from generate_series(1, ${DEVICES}) n
        join sites s on s.code = 'S' || (n * 31 % ${sites} + 1)
        join device_models m on m.name = 'Model ' || (n % ${MODELS} + 1);
    insert into device_states (device_id, connected, last_seen_at)
      select id, status not in ('offline', 'disabled'), now() from devices;
    insert into alarms (device_id, connector, code, kind, level, raised_at, last_at, cleared_at)
      select d.id, 1, 'Code' || k, 'fault', (array['OA','MA','CA'])[1 + d.id % 3], now(), now(),
             case when k = 1 and d.id % 20 = 0 then null else now() end
        from devices d cross join generate_series(1, 3) k;
    analyze;`,
  );
  const user = async (name: string, customer: string, role: { customer: number; site: number } | null) => {
    const { rows } = await pool.query<{ id: number }>(
      `with role as (
         insert into roles (name, customer_access, site_access, levels)
         select $1, $3::int, $4::int, $5::jsonb where $3::int is not null returning id
       )
       insert into users (user_name, password_hash, customer_id, role_id, root)
       select $1, 'none', c.id, (select id from role), $3::int is null from customers c where c.code = $2 returning id`,
      [name, customer, role?.customer ?? null, role?.site ?? null, JSON.stringify(LEVELS)],
    );
    return rows[0]!.id;
  };
  const readers = {
    root: await user('bench_root', 'C1', null),
    own: await user('bench_own', 'C7', { customer: 1, site: 0 }),
    assigned: await user('bench_assigned', 'C7', { customer: 1, site: 1 }),
  };
  await pool.query(
    `insert into role_menus (role_id, menu_key)
     select u.role_id, m.key from users u cross join menus m where u.id = any($1::int[]) and u.role_id is not null`,
    [Object.values(readers)],
  );
  await pool.query(
    `insert into user_sites (user_id, site_id)
     select $1, s.id from sites s join customers c on c.id = s.customer_id where c.code = 'C7' order by s.id limit 8`,
    [readers.assigned],
  );
  await pool.query(
    `insert into privacy_acceptances (user_id, version)
     select u, p.version from unnest($1::int[]) u cross join privacy_policies p`,
    [Object.values(readers)],
  );
  return readers;
}

const AREA = { read: 1, write: 1, download: 1 };
const LEVELS = { user: AREA, device: AREA, params: AREA, wiki: AREA, attachment: AREA };
