-- Runs of processes. The epoch is new for each run and only grows: it is what writes are checked against, and
-- device_states.node has it as text. Times are of the database's clock.
create table nodes (
  epoch bigint generated always as identity primary key,
  name text not null,
  -- identity of the data folder, which only one process can use at a time
  folder text,
  roles text[] not null,
  version text not null,
  addresses text[] not null default '{}',
  -- its files and its broker are used by other processes too
  shareable boolean not null,
  -- the beginning of the names of its sessions in this database
  session text not null,
  started_at timestamptz not null default clock_timestamp(),
  renewed_at timestamptz not null default clock_timestamp(),
  renewals bigint not null default 0,
  -- connections, streams, bytes of memory
  load jsonb not null default '{}',
  ended_at timestamptz,
  end_reason text check (end_reason in ('left', 'replaced', 'expired')),
  -- when the devices that had not returned were marked as disconnected
  cleared_at timestamptz,
  check ((ended_at is null) = (end_reason is null))
);
create unique index nodes_name on nodes (name) where ended_at is null;
create index nodes_left on nodes (epoch) where ended_at is not null and cleared_at is null;

-- The connections of the version before.
with former as (
  insert into nodes (name, roles, version, shareable, session, ended_at, end_reason)
  select 'main', '{api,gateway,jobs}', '', false, '', clock_timestamp(), 'left'
   where exists (select from device_states where connected)
  returning epoch
)
update device_states s set node = former.epoch::text from former where s.connected;
