-- maintenance ---------------------------------------------------------------------------------------------------------

-- One maintenance of a device: recorded at once, or work that begins, keeps the device in maintenance, and ends.
create table device_maintenances (
  id bigint generated always as identity primary key,
  device_id integer not null references devices on delete cascade,
  began_at timestamptz not null default now(),
  began_by integer references users on delete set null,
  began_by_name text not null,
  ended_at timestamptz,
  ended_by_name text,
  note text not null default '',
  -- it was the maintenance that the cycle asks for
  maintained boolean not null default false,
  -- how long the device had gone without one, and how long it had run in all, when it ended
  unmaintained_days integer,
  runtime_seconds bigint,
  check ((ended_at is null) = (ended_by_name is null)),
  check (ended_at is not null or not maintained)
);
create unique index device_maintenances_running on device_maintenances (device_id) where ended_at is null;
create index device_maintenances_device on device_maintenances (device_id, id desc);
create index device_maintenances_user on device_maintenances (began_by);
insert into device_maintenances (device_id, began_at, began_by_name)
  select id, status_since, '' from devices where maintenance;

-- When the maintenance cycle of a device runs out; at infinity for one without a cycle. It counts from the last
-- maintenance, else from the installation, else from the registration: no cycle goes on without an end.
alter table devices add column maintenance_due_at timestamptz not null generated always as (
  case when maintenance_cycle_days is null then timestamptz 'infinity'
  else (coalesce(maintained_at at time zone 'UTC', install_date::timestamp, created_at at time zone 'UTC')
        + make_interval(days => maintenance_cycle_days)) at time zone 'UTC' end) stored;
create index devices_maintenance_due on devices (maintenance_due_at, id);

-- pictures ------------------------------------------------------------------------------------------------------------

create table device_images (
  id integer generated always as identity primary key,
  device_id integer not null references devices on delete cascade,
  key text not null unique,
  position smallint not null check (position between 1 and 12),
  added_at timestamptz not null default now(),
  added_by_name text not null,
  -- an order is changed as a whole
  unique (device_id, position) deferrable initially deferred
);

-- import --------------------------------------------------------------------------------------------------------------

-- A file names sites by code or name, whatever their customer.
create index sites_code_alone on sites (lower(code));
create index sites_name_alone on sites (lower(name));
