-- Devices whose frames and readings are still to be removed: their tables are partitioned and carry no foreign key.
create table removed_devices (
  device_id integer primary key,
  removed_at timestamptz not null default now()
);
