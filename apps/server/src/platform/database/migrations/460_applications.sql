-- Other software that acts with the permissions of a user (spec §3).
create table applications (
  id integer generated always as identity primary key,
  name text not null,
  -- the name in one normal form
  name_key text not null unique,
  description text not null default '',
  icon text,
  -- sent as keyid of signatures
  app_id text not null unique,
  user_id integer references users on delete set null,
  enabled boolean not null default true,
  -- networks; empty: every address
  allowed_addresses text[] not null default '{}',
  allowed_operations text[] not null default '{}',
  -- requests per minute
  rate_limit integer not null check (rate_limit between 1 and 6000),
  expires_at timestamptz,
  installed_at timestamptz not null default now(),
  last_used_at timestamptz,
  -- the current minute and its requests, of all processes
  minute timestamptz not null default 'epoch',
  minute_calls integer not null default 0
) with (fillfactor = 80);
create index applications_user on applications (user_id);

-- At most two are valid at a time, during a rotation.
create table application_secrets (
  id integer generated always as identity primary key,
  application_id integer not null references applications on delete cascade,
  -- encrypted: signatures are computed with it
  secret text not null,
  ending text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  valid_until timestamptz
);
create index application_secrets_application on application_secrets (application_id);

-- The nonces of the last minutes, so that a request that was sent again is refused by every process.
create table application_nonces (
  application_id integer not null references applications on delete cascade,
  nonce text not null,
  until timestamptz not null,
  primary key (application_id, nonce)
);
create index application_nonces_until on application_nonces (until);

-- Tokens that were exchanged for a signature. Only their hash is stored.
create table application_tokens (
  token_hash bytea primary key,
  application_id integer not null references applications on delete cascade,
  until timestamptz not null
);
create index application_tokens_application on application_tokens (application_id);
create index application_tokens_until on application_tokens (until);

create table application_days (
  application_id integer not null references applications on delete cascade,
  day date not null,
  calls integer not null,
  errors integer not null,
  primary key (application_id, day)
);

alter table action_logs
  -- the application that acted for the user; its name stays when it is deleted
  add column application_name text;
