import type { Pool } from 'pg';
import { fillFleet, type Readers } from '../device-list/fleet-of-100000.ts';
import { fill } from '../side-by-side.ts';

export const CUSTOMERS = 1_000;
export const SITES = 10_000;
export const USERS = 20_000;
/** Sites of the user with assigned sites. */
export const ASSIGNED = 500;
const ROLES = 40;
const LOG_ROWS = 200_000;
const STRANGERS = 10_000;
export const FILES = 100_000;
const FOLDERS = 1_000;

/** Fills a migrated database with 100,000 devices, their customers, sites and users, their logs and waiting devices. */
export async function fillOrganisation(pool: Pool): Promise<Readers> {
  const readers = await fillFleet(pool, { customers: CUSTOMERS, sites: SITES });
  await fill(
    pool,
    `
    insert into roles (name, customer_access, site_access, levels)
      select 'Role ' || n, n % 3, n % 2, (select levels from roles limit 1) from generate_series(1, ${ROLES}) n;
    insert into users (user_name, nick_name, email, search_words, password_hash, customer_id, role_id, created_at)
      select 'user_' || lpad((n * 7919 % ${USERS})::text, 6, '0'), 'Nick ' || n, 'user' || n || '@example.org', '', 'none',
             c.id, r.id, now() - make_interval(mins => n)
        from generate_series(1, ${USERS}) n
        join customers c on c.code = 'C' || (n % ${CUSTOMERS} + 1)
        join roles r on r.name = 'Role ' || (n % ${ROLES} + 1);
    insert into sessions (id, token_hash, csrf, user_id, expires_at, ended_at, end_reason, address, user_agent)
      select gen_random_uuid(), decode(md5(u.id || '-' || k), 'hex'), '', u.id, now() + interval '1 day',
             case when k = 1 and u.id % 9 = 0 then null else now() end,
             case when k = 1 and u.id % 9 = 0 then null else 'loggedOut' end, '', ''
        from users u cross join generate_series(1, 3) k where u.user_name like 'user\\_%';
    insert into action_logs (at, user_id, user_name, operation, object_type, object_id, object_name, customer_id, site_id, before, after, address)
      select now() - make_interval(secs => (${LOG_ROWS} - n) * 30), u.id, u.user_name,
             (array['edit', 'disable', 'enable', 'control'])[1 + n % 4], 'device', d.id::text, d.name, d.customer_id,
             d.site_id, '{"name": "old"}', '{"name": "new"}', '192.0.2.1'
        from generate_series(1, ${LOG_ROWS}) n
        join (select id, user_name, row_number() over (order by id) as k from users where user_name like 'user\\_%') u
          on u.k = 1 + n % ${USERS}
        join (select id, name, customer_id, site_id, row_number() over (order by id) as k from devices) d
          on d.k = 1 + n * 7919 % 100000
       order by n;
    insert into login_logs (at, type, reason, succeeded, user_id, user_name, address, user_agent)
      select now() - make_interval(secs => (${LOG_ROWS} - n) * 30), n % 2, case when n % 2 = 1 then 'loggedOut' end,
             n % 17 <> 0, u.id, u.user_name, '192.0.2.1', 'Mozilla/5.0'
        from generate_series(1, ${LOG_ROWS}) n
        join (select id, user_name, row_number() over (order by id) as k from users where user_name like 'user\\_%') u
          on u.k = 1 + n % ${USERS}
       order by n;
    insert into blacklist_entries (sn, mac, protocol_version, remote_address, last_attempt_at)
      select 'X' || lpad(n::text, 8, '0'), md5(n::text), 'ocpp1.6', '192.0.2.1', now() - make_interval(secs => n)
        from generate_series(1, ${STRANGERS}) n;
    insert into folders (customer_id, name, name_key, read_level, write_level, download_level, created_by_name)
      select c.id, 'Folder ' || n, 'folder ' || n, 5, 4, 5, 'bench' from generate_series(1, ${FOLDERS}) n
        join customers c on c.code = 'C' || (n % ${CUSTOMERS} + 1);
    insert into attachments (folder_id, customer_id, name, name_key, size, media_type, type, bucket, object_key, etag,
                             read_level, write_level, download_level, uploaded_by_name, created_at)
      select f.id, f.customer_id, 'Manual ' || n || '.pdf', 'manual ' || n || '.pdf', n, 'application/pdf',
             (array['normal', 'issue'])[1 + n % 2], 'main', 'attachments/' || n, '', 5 - n % 4, 4, 5, 'bench',
             now() - make_interval(mins => n)
        from generate_series(1, ${FILES}) n join (
          select id, customer_id, row_number() over (order by id) as k from folders) f on f.k = 1 + n % ${FOLDERS};
    update roles set customer_access = 0 where name = 'bench_assigned';
    delete from user_sites where user_id = ${readers.assigned};`,
  );
  await pool.query(
    `insert into user_sites (user_id, site_id) select $1, id from sites where id % $2 = 0 order by id limit $3`,
    [readers.assigned, SITES / ASSIGNED, ASSIGNED],
  );
  // Users of these sites, so that the user with assigned sites sees some.
  await pool.query(
    `insert into user_sites (user_id, site_id)
     select u.id, s.id from sites s join lateral (
       select id from users where customer_id = s.customer_id and user_name like 'user\\_%' order by id limit 2) u on true
      where s.id % $1 = 0`,
    [SITES / ASSIGNED],
  );
  await fill(pool, 'vacuum analyze');
  return readers;
}
