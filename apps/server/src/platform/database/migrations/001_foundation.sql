create extension if not exists pg_trgm;

-- fleet ---------------------------------------------------------------------------------------------------------------

create table customers (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  contact text not null default '',
  address text not null default '',
  platform_vendor boolean not null default false,
  read_only boolean not null default false,
  enabled boolean not null default true,
  created_at timestamptz not null default now()
);
create unique index customers_code on customers (lower(code));
create unique index customers_name on customers (lower(name));
create unique index customers_one_platform_vendor on customers (platform_vendor) where platform_vendor;

create table sites (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  code text not null,
  name text not null,
  contact text not null default '',
  phone text not null default '',
  address text not null default '',
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  unique (id, customer_id)
);
create unique index sites_code on sites (customer_id, lower(code));
create unique index sites_name on sites (customer_id, lower(name));

create table device_models (
  id integer generated always as identity primary key,
  name text not null,
  type smallint not null check (type between 1 and 6),
  parent_id integer references device_models,
  vendor text not null default '',
  -- accept frames outside the official schemas, each tolerance logged
  tolerant boolean not null default false,
  parameter_read_level smallint not null default 5 check (parameter_read_level between 0 and 5),
  parameter_write_level smallint not null default 3 check (parameter_write_level between 0 and 5),
  control_level smallint not null default 4 check (control_level between 0 and 5),
  created_at timestamptz not null default now(),
  check (control_level > parameter_write_level)
);
create unique index device_models_name on device_models (lower(name));

create table devices (
  id integer generated always as identity primary key,
  sn text not null,
  name text not null,
  site_id integer not null,
  -- repeated from the site so that a scope on customers needs no join; the composite key keeps the two in step
  customer_id integer not null,
  device_model_id integer not null references device_models,
  status text not null default 'offline'
    check (status in ('offline', 'idle', 'working', 'faulted', 'maintain', 'firmwareUpdate', 'disabled')),
  status_since timestamptz not null default now(),
  enabled boolean not null default true,
  maintenance boolean not null default false,
  soft_version text not null default '',
  install_date date,
  arrival_date date,
  maintenance_cycle_days integer check (maintenance_cycle_days between 1 and 3650),
  maintained_at timestamptz,
  gateway_password_hash text,
  created_at timestamptz not null default now(),
  foreign key (site_id, customer_id) references sites (id, customer_id) on update cascade
);
create unique index devices_sn on devices (lower(sn));
create unique index devices_name on devices (customer_id, lower(name));
create index devices_sn_order on devices (sn, id);
create index devices_name_order on devices (name, id);
create index devices_status_since on devices (status_since, id);
create index devices_site on devices (site_id, status);
create index devices_customer on devices (customer_id, status);
create index devices_status on devices (status);
create index devices_model on devices (device_model_id);
create index devices_search on devices using gin ((sn || ' ' || name) gin_trgm_ops);

-- What changes with every message of a device stands apart from what people edit, so that the hot rows stay small.
create table device_states (
  device_id integer primary key references devices on delete cascade,
  connected boolean not null default false,
  connection_id uuid,
  node text,
  protocol text,
  remote_address text,
  connected_at timestamptz,
  disconnected_at timestamptz,
  disconnect_reason text check (disconnect_reason in ('authRejected', 'loggedOut', 'networkTimeout', 'replaced')),
  disconnect_detail text,
  booted_at timestamptz,
  boot jsonb,
  last_seen_at timestamptz,
  clock_skew_ms bigint,
  firmware_status text,
  diagnostics_status text,
  total_runtime_seconds bigint not null default 0
) with (fillfactor = 70);
create index device_states_connected on device_states (node) where connected;

create table connectors (
  device_id integer not null references devices on delete cascade,
  connector smallint not null check (connector >= 0),
  status text not null,
  error_code text not null default 'NoError',
  vendor_error_code text,
  info text,
  since timestamptz not null,
  updated_at timestamptz not null,
  primary key (device_id, connector)
) with (fillfactor = 70);

create table blacklist_entries (
  id integer generated always as identity primary key,
  sn text not null,
  mac text,
  protocol_version text not null,
  remote_address text not null,
  vendor text,
  model text,
  registered_at timestamptz not null default now(),
  last_attempt_at timestamptz not null default now(),
  attempts integer not null default 1
);
create unique index blacklist_entries_sn on blacklist_entries (lower(sn));
create index blacklist_entries_last_attempt on blacklist_entries (last_attempt_at desc, id desc);

-- access --------------------------------------------------------------------------------------------------------------

create table roles (
  id integer generated always as identity primary key,
  name text not null,
  customer_access smallint not null check (customer_access between 0 and 2),
  site_access smallint not null check (site_access between 0 and 1),
  remote_access smallint not null default 0 check (remote_access between 0 and 3),
  levels jsonb not null,
  email_alarm boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index roles_name on roles (lower(name));

create table menus (
  key text primary key,
  parent_key text references menus,
  name text not null,
  url text not null default '',
  sort integer not null default 0,
  common boolean not null default false
);

-- The server's routes as they are, synced at every start.
create table interfaces (
  id text primary key,
  name text not null,
  method text not null,
  url text not null,
  common boolean not null default false
);

create table menu_interfaces (
  menu_key text not null references menus on delete cascade,
  interface_id text not null references interfaces on delete cascade,
  primary key (menu_key, interface_id)
);

create table role_menus (
  role_id integer not null references roles on delete cascade,
  menu_key text not null references menus on delete cascade,
  primary key (role_id, menu_key)
);

create table users (
  id integer generated always as identity primary key,
  user_name text not null,
  nick_name text not null default '',
  email text,
  password_hash text not null,
  customer_id integer not null references customers,
  role_id integer references roles,
  root boolean not null default false,
  enabled boolean not null default true,
  locale text not null default 'en-US' check (locale in ('en-US', 'zh-CN')),
  created_at timestamptz not null default now(),
  check (root or role_id is not null)
);
create unique index users_user_name on users (lower(user_name));
create unique index users_email on users (lower(email));
create index users_customer on users (customer_id);
create index users_role on users (role_id);

create table user_customers (
  user_id integer not null references users on delete cascade,
  customer_id integer not null references customers on delete cascade,
  primary key (user_id, customer_id)
);
create table user_sites (
  user_id integer not null references users on delete cascade,
  site_id integer not null references sites on delete cascade,
  primary key (user_id, site_id)
);

create table sessions (
  id uuid primary key,
  -- SHA-256 of the token in the cookie: the table alone opens no session
  token_hash bytea not null unique,
  csrf text not null,
  user_id integer not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('authRejected', 'loggedOut', 'networkTimeout', 'replaced')),
  address text not null,
  user_agent text not null
);
create index sessions_open on sessions (user_id) where ended_at is null;
create index sessions_expiry on sessions (expires_at) where ended_at is null;

create table privacy_policies (
  version integer primary key,
  content_en text not null,
  content_zh text not null,
  published_at timestamptz not null default now()
);
create table privacy_acceptances (
  user_id integer not null references users on delete cascade,
  version integer not null references privacy_policies,
  accepted_at timestamptz not null default now(),
  primary key (user_id, version)
);

create table server_secrets (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);

-- One-time values (captcha solutions, sign-in challenges) that were used and must not be used again.
create table spent_tokens (
  token text primary key,
  expires_at timestamptz not null
);
create index spent_tokens_expiry on spent_tokens (expires_at);

-- audit ---------------------------------------------------------------------------------------------------------------

create table login_logs (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- spec §3: login 0, logout 1
  type smallint not null check (type in (0, 1)),
  reason text check (reason in ('authRejected', 'loggedOut', 'networkTimeout', 'replaced')),
  succeeded boolean not null,
  user_id integer references users on delete set null,
  user_name text not null,
  address text not null,
  user_agent text not null
);
create index login_logs_user on login_logs (user_id, id desc);

create table action_logs (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  user_id integer references users on delete set null,
  user_name text not null,
  operation text not null check (operation in ('new', 'edit', 'delete', 'disable', 'enable', 'control')),
  object_type text not null,
  object_id text not null,
  object_name text not null,
  customer_id integer references customers on delete set null,
  site_id integer references sites on delete set null,
  before jsonb,
  after jsonb,
  address text not null
);
create index action_logs_object on action_logs (object_type, object_id, id desc);
create index action_logs_user on action_logs (user_id, id desc);
create index action_logs_site on action_logs (site_id, id desc);
create index action_logs_customer on action_logs (customer_id, id desc);

create table protocol_frames (
  id bigint generated always as identity,
  device_id integer not null,
  connection_id uuid,
  at timestamptz not null,
  -- spec §3: open 0, close 1, receive 2, send 3
  type smallint not null check (type between 0 and 3),
  action text,
  message_id text,
  -- the frame as it stood on the wire, shortened when it exceeds the stored limit
  body text,
  bytes integer not null default 0,
  -- what the gateway has to say of it: why it was refused, what was tolerated
  note text
) partition by range (at);
create index protocol_frames_device on protocol_frames (device_id, id);
create table protocol_frames_default partition of protocol_frames default;

-- telemetry -----------------------------------------------------------------------------------------------------------

-- An immutable list of quantities, in the order in which the arrays of a reading hold their values.
create table reading_layouts (
  id integer generated always as identity primary key,
  -- [{"key": "Power.Active.Import", "unit": "W", "counter": false}, …]
  items jsonb not null unique
);

create table readings (
  device_id integer not null,
  connector smallint not null,
  at timestamptz not null,
  received_at timestamptz not null,
  layout_id integer not null,
  transaction_id integer,
  analog real[] not null,
  counters float8[] not null
) partition by range (at);
-- A pile that got no answer sends its meter values again (OCPP 1.6 §3.7.1): the same values of the same instant are the
-- same reading, other values of that instant are not.
create unique index readings_once
  on readings (device_id, at, connector, layout_id, (hash_array(analog) # hash_array(counters)));
create table readings_default partition of readings default;

create table latest_readings (
  device_id integer not null references devices on delete cascade,
  connector smallint not null,
  layout_id integer not null references reading_layouts,
  at timestamptz not null,
  analog real[] not null,
  counters float8[] not null,
  primary key (device_id, connector, layout_id)
) with (fillfactor = 70);

create table transactions (
  id integer generated always as identity primary key,
  device_id integer not null references devices on delete cascade,
  connector smallint not null,
  id_tag text not null,
  meter_start integer not null,
  started_at timestamptz not null,
  meter_stop integer,
  stopped_at timestamptz,
  stop_id_tag text,
  stop_reason text,
  -- a pile that got no answer sends StartTransaction again: the same start is the same transaction
  unique (device_id, connector, started_at, id_tag, meter_start)
);
create index transactions_device on transactions (device_id, started_at desc);
create index transactions_open on transactions (device_id, connector) where stopped_at is null;

-- alarms --------------------------------------------------------------------------------------------------------------

create table alarms (
  id bigint generated always as identity primary key,
  device_id integer not null references devices on delete cascade,
  connector smallint not null,
  code text not null,
  kind text not null check (kind in ('offline', 'alarm', 'fault', 'unavailable')),
  level text not null check (level in ('OA', 'MA', 'CA')),
  info text,
  raised_at timestamptz not null,
  last_at timestamptz not null,
  repeats integer not null default 0,
  acknowledged_at timestamptz,
  acknowledged_by integer references users on delete set null,
  cleared_at timestamptz
);
create unique index alarms_active on alarms (device_id, connector, code) where cleared_at is null;
create index alarms_device on alarms (device_id, raised_at desc);

create table device_events (
  id bigint generated always as identity primary key,
  device_id integer not null references devices on delete cascade,
  connector smallint not null default 0,
  -- spec §3: disconnect 0, minor alarm 1, alarm 2, unavailable 3
  type smallint not null check (type between 0 and 3),
  at timestamptz not null,
  code text not null,
  detail text,
  -- the end of what the event began, when it has one
  ended_at timestamptz
);
create index device_events_device on device_events (device_id, at desc, id desc);

-- operations ----------------------------------------------------------------------------------------------------------

create table commands (
  id bigint generated always as identity primary key,
  kind text not null,
  control_type smallint not null check (control_type between 1 and 11),
  params jsonb not null default '{}',
  requested_by integer references users on delete set null,
  requested_by_name text not null,
  requested_at timestamptz not null default now()
);

create table executions (
  -- also the OCPP unique message id under which the device is asked, so that a late answer finds its execution
  id uuid primary key,
  command_id bigint not null references commands on delete cascade,
  device_id integer not null references devices on delete cascade,
  connector smallint not null default 0,
  state text not null default 'queued' check (state in ('queued', 'sent', 'ended')),
  -- spec §4: waiting 1, success 2, failure 3, timeout 4, offline 5
  result smallint not null default 1 check (result between 1 and 5),
  reason text,
  detail text,
  answer jsonb,
  queued_at timestamptz not null default now(),
  sent_at timestamptz,
  deadline_at timestamptz not null,
  ended_at timestamptz,
  late_answer_at timestamptz,
  check ((state = 'ended') = (ended_at is not null)),
  check ((state = 'ended') = (result <> 1))
);
create unique index executions_one_in_flight on executions (device_id) where state = 'sent';
create index executions_queue on executions (device_id, queued_at) where state = 'queued';
create index executions_deadline on executions (deadline_at) where state <> 'ended';
create index executions_device on executions (device_id, queued_at desc);
create index executions_command on executions (command_id);

create table device_parameters (
  device_id integer not null references devices on delete cascade,
  key text not null,
  value text,
  readonly boolean not null,
  read_at timestamptz not null,
  primary key (device_id, key)
);
