-- New passwords of connections, from the order until the device uses them. The former one stays in `devices` meanwhile.
create table password_changes (
  execution_id uuid primary key references executions on delete cascade,
  device_id integer not null references devices on delete cascade,
  password_hash text not null,
  -- the password, encrypted, until it has been sent
  secret text,
  created_at timestamptz not null default clock_timestamp()
);
create index password_changes_device on password_changes (device_id, created_at);
create index password_changes_secret on password_changes (execution_id) where secret is not null;
