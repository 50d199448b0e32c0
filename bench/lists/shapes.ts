/** A page of a list, and the same query as bare SQL: its rows and its total, if the list has one. */
export interface Shape {
  name: string;
  path: string;
  bare: readonly string[];
}

const DEVICE = (where: string, order = 'name collate natural_sort, id', from = 'devices') => [
  `select d.id, d.sn, d.name, d.status, d.status_since, d.enabled, d.site_id, site.name as site_name, d.customer_id,
          customer.name as customer_name, d.device_model_id, model.name as model_name, model.type, d.soft_version,
          state.connected, state.last_seen_at, alarm.total, alarm.levels
     from (select devices.* from ${from} where ${where} order by ${order} limit 20) d
     join sites site on site.id = d.site_id join customers customer on customer.id = d.customer_id
     join device_models model on model.id = d.device_model_id
     left join device_states state on state.device_id = d.id
     cross join lateral (select count(*) as total, array_agg(distinct level) as levels from alarms
                          where device_id = d.id and cleared_at is null) alarm`,
  `select count(*) as total from ${from === 'devices' ? from : 'device_status st'} where ${where}`,
];

/** The searched text of each table, as its index has it. */
const TEXTS = {
  devices: text('sn', 'name', 'search_words'),
  sites: text('code', 'name', 'search_words'),
  customers: text('code', 'name', 'search_words'),
  users: text('user_name', 'nick_name', 'email', 'search_words'),
};

function text(...columns: readonly string[]): string {
  return `((' ' || ${columns.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `)} || ' ') collate "default")`;
}

function contains(searched: string, ...words: readonly string[]): string {
  return words.map((word) => `${searched} ilike '%${word}%'`).join(' and ');
}

const CUSTOMER = (where: string) => [
  `select c.*, (select count(*) from sites where customer_id = c.id) as sites,
          (select count(*) from devices where customer_id = c.id) as devices,
          (select count(*) from users where customer_id = c.id) as users
     from (select * from customers where ${where} order by name collate natural_sort, id limit 20) c`,
  `select count(*) as total from customers where ${where}`,
];

const SITE = (where: string) => [
  `select s.*, c.name as customer_name, (select count(*) from devices where site_id = s.id) as devices,
          (select count(*) from alarms a join devices d on d.id = a.device_id
            where d.site_id = s.id and a.cleared_at is null) as alarms
     from (select * from sites where ${where} order by name collate natural_sort, id limit 20) s join customers c on c.id = s.customer_id`,
  `select count(*) as total from sites where ${where}`,
];

const USER = (where: string) => [
  `select u.*, c.name as customer_name, r.name as role_name,
          (select count(*) from sessions where user_id = u.id and ended_at is null and expires_at > now()) as sessions,
          (select max(last_seen_at) from sessions where user_id = u.id) as last_seen
     from (select * from users u where ${where} order by user_name collate natural_sort, id limit 20) u
     join customers c on c.id = u.customer_id left join roles r on r.id = u.role_id`,
  `select count(*) as total from users u where ${where}`,
];

const ROLE = (where: string) => [
  `select r.*, array(select menu_key from role_menus where role_id = r.id) as keys,
          (select count(*) from users where role_id = r.id) as users
     from (select * from roles where ${where} order by name collate natural_sort, id limit 20) r`,
  `select count(*) as total from roles where ${where}`,
];

const STRANGER = (where: string) => [
  `select * from blacklist_entries where ${where} order by last_attempt_at desc, id desc limit 20`,
  `select count(*) as total from blacklist_entries where ${where}`,
];

const LOG = (table: string, where: string) => [`select * from ${table} where ${where} order by id desc limit 51`];

const FILE = (where: string, order = 'name collate natural_sort, id') => [
  `select a.*, f.name as folder, c.name as customer,
          (select count(*) from attachment_uses where attachment_id = a.id) as uses
     from (select * from attachments where deleted_at is null and ${where} order by ${order} limit 20) a
     left join folders f on f.id = a.folder_id left join customers c on c.id = a.customer_id`,
  `select count(*) as total from attachments where deleted_at is null and ${where}`,
];

/** Every list as root opens it: its first page, and a filtered page. */
export const SHAPES: readonly Shape[] = [
  { name: 'devices', path: 'devices', bare: DEVICE('true') },
  {
    name: 'devices, filtered',
    path: 'devices?status=faulted,working&sort=-statusSince',
    bare: DEVICE(
      `st.status = any('{faulted,working}'::text[])`,
      'st.since desc, st.device_id desc',
      'devices join device_status st on st.device_id = devices.id',
    ),
  },
  { name: 'customers', path: 'customers', bare: CUSTOMER('true') },
  {
    name: 'customers, filtered',
    path: 'customers?search=Customer%2077',
    bare: CUSTOMER(contains(TEXTS.customers, 'Customer', '77')),
  },
  { name: 'sites', path: 'sites', bare: SITE('true') },
  { name: 'sites, filtered', path: 'sites?customerId=$customer', bare: SITE('customer_id = $customer') },
  { name: 'sites, searched', path: 'sites?search=Site%20777', bare: SITE(contains(TEXTS.sites, 'Site', '777')) },
  { name: 'users', path: 'users', bare: USER('true') },
  { name: 'users, filtered', path: 'users?roleId=$role&status=enabled', bare: USER('role_id = $role and enabled') },
  {
    name: 'users, searched',
    path: 'users?search=user_0123',
    bare: USER(contains(TEXTS.users, 'user\\_0123')),
  },
  { name: 'roles', path: 'roles', bare: ROLE('true') },
  { name: 'roles, filtered', path: 'roles?search=Role%201', bare: ROLE(`name ilike '%Role 1%'`) },
  { name: 'action log', path: 'logs/actions?limit=50', bare: LOG('action_logs', 'true') },
  {
    name: 'action log, filtered',
    path: 'logs/actions?limit=50&userName=user_0123',
    bare: LOG('action_logs', `lower(user_name) like 'user\\_0123%'`),
  },
  {
    name: 'action log of a site',
    path: 'logs/actions?limit=50&siteId=$site',
    bare: LOG('action_logs', 'site_id = $site'),
  },
  { name: 'login log', path: 'logs/logins?limit=50', bare: LOG('login_logs', 'true') },
  {
    name: 'login log, filtered',
    path: 'logs/logins?limit=50&type=0&userName=user_0123',
    bare: LOG('login_logs', `type = 0 and lower(user_name) like 'user\\_0123%'`),
  },
  { name: 'waiting devices', path: 'blacklist-entries', bare: STRANGER('true') },
  {
    name: 'waiting devices, filtered',
    path: 'blacklist-entries?search=X0000012',
    bare: STRANGER(
      `(sn || ' ' || coalesce(mac, '') || ' ' || coalesce(vendor, '') || ' ' || coalesce(model, '')) ilike '%X0000012%'`,
    ),
  },
  { name: 'files', path: 'attachments?below=true', bare: FILE('true') },
  {
    name: 'files, newest',
    path: 'attachments?below=true&sort=-createdAt',
    bare: FILE('true', 'created_at desc, id desc'),
  },
  { name: 'files of a folder', path: 'attachments?folderId=$folder', bare: FILE('folder_id = $folder') },
  {
    name: 'files, searched',
    path: 'attachments?below=true&search=manual%2077',
    bare: FILE(`name_key like '%manual 77%'`),
  },
];

/** Lists for a user with 500 assigned sites, compared with the same call by root. */
export const SCOPED: readonly { name: string; path: string }[] = [
  { name: 'devices', path: 'devices' },
  { name: 'devices, filtered', path: 'devices?status=faulted,working&sort=-statusSince' },
  { name: 'counters', path: 'devices/counters' },
  { name: 'sites', path: 'sites' },
  { name: 'users', path: 'users' },
  { name: 'action log', path: 'logs/actions?limit=50' },
  { name: 'files', path: 'attachments?below=true' },
];

/** The global search of root as bare SQL: six rows of each kind with a word that starts with the text. */
export function searchOf(typed: string): string[] {
  const word = `% ${typed.replaceAll("'", "''")}%`;
  return [
    `select d.id, d.name, d.sn, d.enabled, d.status, s.name as site, c.name as customer
       from (select * from devices where ${TEXTS.devices} ilike '${word}' limit 6) d
       join sites s on s.id = d.site_id join customers c on c.id = d.customer_id`,
    `select s.id, s.name, s.code, s.enabled, c.name as customer
       from (select * from sites where ${TEXTS.sites} ilike '${word}' limit 6) s join customers c on c.id = s.customer_id`,
    `select id, name, code, enabled from customers where ${TEXTS.customers} ilike '${word}' limit 6`,
    `select u.id, u.user_name, u.nick_name, u.enabled, c.name as customer
       from (select * from users where ${TEXTS.users} ilike '${word}' limit 6) u join customers c on c.id = u.customer_id`,
  ];
}

/** Texts as users type them: an SN, its start, two and one letters, Chinese, pinyin, initials, and nothing that exists. */
export const SEARCHES: readonly string[] = [
  'CP00012345',
  'CP000',
  'cp',
  '7',
  '站点',
  '点',
  'zhandian',
  'zd',
  'Site 777',
  'user_0123',
  'nick 19',
  'xq',
  'nothing',
];
