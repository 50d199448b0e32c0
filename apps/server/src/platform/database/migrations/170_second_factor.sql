-- The second factor of an account: a shared secret for time-based codes (RFC 6238), encrypted with a key of
-- `server_secrets`. Until it is confirmed with a code it is not asked for.
create table second_factors (
  user_id integer primary key references users on delete cascade,
  secret text not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  -- the time step of the last code that was accepted: no code of it or an earlier one counts again
  last_step bigint not null default 0
);

-- SHA-256 of codes that stand in for the device, each once.
create table recovery_codes (
  user_id integer not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- Whoever holds the role must set up a second factor before anything else.
alter table roles add column second_factor boolean not null default false;
