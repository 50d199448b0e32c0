-- Who may charge at the devices of a customer, a site, or one device: every token, or only those of the list. Without a
-- row, the next larger place decides; without any, every token is accepted, as before this table.
create table token_policies (
  id integer generated always as identity primary key,
  customer_id integer references customers on delete cascade,
  site_id integer references sites on delete cascade,
  device_id integer references devices on delete cascade,
  policy text not null check (policy in ('everyone', 'known')),
  set_at timestamptz not null default now(),
  set_by_name text not null,
  check (num_nonnulls(customer_id, site_id, device_id) = 1)
);
create unique index token_policies_customer on token_policies (customer_id) where customer_id is not null;
create unique index token_policies_site on token_policies (site_id) where site_id is not null;
create unique index token_policies_device on token_policies (device_id) where device_id is not null;

-- The revisions of a customer's tokens. Its row is locked by every change, so revisions are committed in their order.
-- What was removed up to `forgotten` is not known one by one any more.
create table token_books (
  customer_id integer primary key references customers on delete cascade,
  revision integer not null default 0,
  forgotten integer not null default 0
);

-- What drivers present to charge. Values are compared in lower case.
create table tokens (
  id integer generated always as identity primary key,
  customer_id integer not null references customers on delete cascade,
  value text not null,
  value_key text not null generated always as (lower(value)) stored,
  type text not null,
  group_value text,
  holder text not null default '',
  note text not null default '',
  valid_from timestamptz,
  valid_until timestamptz,
  blocked_at timestamptz,
  blocked_by_name text,
  concurrent boolean not null default false,
  -- false: only at its sites, also when those were deleted
  all_sites boolean not null default true,
  -- the last change that devices must know
  revision integer not null,
  -- its period of validity has not begun, so devices do not have it yet
  waits boolean not null default false,
  created_at timestamptz not null default now(),
  created_by_name text not null,
  updated_at timestamptz not null default now()
);
create unique index tokens_value on tokens (customer_id, value_key);
create index tokens_revision on tokens (customer_id, revision);
create index tokens_waits on tokens (valid_from) where waits;
create index tokens_customer on tokens (customer_id, id);

-- The sites where a token is valid that is not valid at all sites of its customer.
create table token_sites (
  token_id integer not null references tokens on delete cascade,
  site_id integer not null references sites on delete cascade,
  primary key (token_id, site_id)
);
create index token_sites_site on token_sites (site_id, token_id);

-- Values that devices must remove from their lists.
create table removed_tokens (
  customer_id integer not null references customers on delete cascade,
  revision integer not null,
  value text not null,
  type text not null,
  removed_at timestamptz not null default now(),
  primary key (customer_id, revision)
);
create index removed_tokens_age on removed_tokens (removed_at);

-- Tokens that were presented and are not known, at most 200 per site.
create table unknown_tokens (
  id integer generated always as identity primary key,
  site_id integer not null references sites on delete cascade,
  value text not null,
  value_key text not null generated always as (lower(value)) stored,
  type text,
  device_id integer references devices on delete set null,
  count integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null
);
create unique index unknown_tokens_value on unknown_tokens (site_id, value_key);
create index unknown_tokens_last on unknown_tokens (site_id, last_at desc);

-- The local authorization list of each device, as it is known (KnownList of the domain), and what is shown of it.
create table device_token_lists (
  device_id integer primary key references devices on delete cascade,
  version integer not null default 0,
  revision integer,
  place text,
  full_revision integer,
  full_cursor integer,
  sent_version integer,
  sent_cursor integer,
  sent_more boolean,
  sent_full boolean,
  verify boolean not null default true,
  failures integer not null default 0,
  -- the message without an answer yet
  execution_id uuid,
  command text check (command in ('clearCache', 'read', 'send')),
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'equal', 'unsupported', 'off', 'failed')),
  -- of the entries that the device has; null while they are not known
  checksum text,
  entries integer,
  left_out integer not null default 0,
  detail text,
  -- when the version was last read from the device, and when the list was last found equal
  verified_at timestamptz,
  equal_at timestamptz,
  updated_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  -- the authorization cache must be cleared since then
  clear_cache_since timestamptz,
  clearing_since timestamptz
);
create index device_token_lists_next on device_token_lists (next_at);
create unique index device_token_lists_execution on device_token_lists (execution_id) where execution_id is not null;

-- Files that are imported row by row, and the rows that were skipped.
create table token_imports (
  id integer generated always as identity primary key,
  customer_id integer not null references customers on delete cascade,
  user_id integer references users on delete set null,
  user_name text not null,
  file_name text not null,
  state text not null check (state in ('running', 'done', 'failed')),
  total integer not null default 0,
  done integer not null default 0,
  added integer not null default 0,
  changed integer not null default 0,
  unchanged integer not null default 0,
  skipped integer not null default 0,
  started_at timestamptz not null default now(),
  ended_at timestamptz
);
create index token_imports_customer on token_imports (customer_id, id desc);
create table token_import_faults (
  import_id integer not null references token_imports on delete cascade,
  row integer not null,
  value text not null,
  problems jsonb not null,
  primary key (import_id, row)
);

-- Who decided about a charging session and why, with the sequence number of the event that it belongs to.
alter table transactions add column decision jsonb;
alter table transactions add column decision_seq integer;
-- Whether a token is in another open session.
create index transactions_open_tag on transactions (lower(id_tag)) where stopped_at is null;

-- Roles that administer users get the keys of tokens. Before the first start there are no roles.
insert into menus (key, parent_key, name_en, name_zh, url, sort)
select v.key, v.parent_key, v.name_en, v.name_zh, v.url, v.sort
  from (values
    ('auth_token', null, 'Tokens', '授权卡', '/manage/token', 4),
    ('auth_token_edit', 'auth_token', 'Edit tokens', '编辑授权卡', '', 1)
  ) v (key, parent_key, name_en, name_zh, url, sort)
 where exists (select from roles)
on conflict (key) do nothing;
insert into role_menus (role_id, menu_key)
select role_id, key from role_menus, unnest(array['auth_token', 'auth_token_edit']) key where menu_key = 'auth_user_edit'
on conflict do nothing;
