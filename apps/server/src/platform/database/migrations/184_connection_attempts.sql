-- Connection attempts that did not get a device in, counted by where they came from, what they asked for and why they
-- were refused. The server keeps the number of rows bounded.
create table connection_attempts (
  id integer generated always as identity primary key,
  gateway text not null check (gateway in ('ocpp', 'mqtt', 'ftp')),
  remote_address text not null,
  target text not null,
  reason text not null,
  protocols text,
  device_id integer references devices on delete cascade,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  attempts integer not null default 1
);
create unique index connection_attempts_key on connection_attempts (gateway, remote_address, target, reason);
create index connection_attempts_last on connection_attempts (last_at desc, id desc);
create index connection_attempts_device on connection_attempts (device_id, last_at desc) where device_id is not null;
create index connection_attempts_search on connection_attempts using gin ((remote_address || ' ' || target) gin_trgm_ops);
