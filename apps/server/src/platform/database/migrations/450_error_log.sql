-- Errors by cause. The fingerprint identifies a cause: two processes that see it count in the same row.
create table error_groups (
  id integer generated always as identity primary key,
  fingerprint text not null unique,
  source text not null,
  -- first reported by a page without a session: such causes have their own limit
  anonymous boolean not null,
  name text not null,
  message text not null,
  stack text,
  state text not null default 'new',
  -- of the state, unless it is the first one or the error has returned
  state_at timestamptz,
  state_by text,
  solved_version text,
  solved_in text,
  returned_at timestamptz,
  first_at timestamptz not null,
  last_at timestamptz not null,
  first_version text not null,
  last_version text not null,
  count bigint not null
);
create index error_groups_last on error_groups (last_at desc, id desc);

-- The latest occurrences of each cause. Users and devices may be removed later.
create table error_occurrences (
  id bigint generated always as identity primary key,
  group_id integer not null references error_groups on delete cascade,
  at timestamptz not null,
  version text not null,
  request_id text,
  user_name text,
  device_id integer,
  path text,
  user_agent text,
  address text,
  message text not null,
  details jsonb not null
);
create index error_occurrences_group on error_occurrences (group_id, id desc);
create index error_occurrences_request on error_occurrences (request_id text_pattern_ops) where request_id is not null;

create table error_hours (
  group_id integer not null references error_groups on delete cascade,
  at timestamptz not null,
  count bigint not null,
  primary key (group_id, at)
);
