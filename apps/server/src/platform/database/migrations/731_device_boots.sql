-- The newest restarts of each device, which charts mark. One small row for each device; see `storeBoots`.
create table device_boots (
  device_id integer primary key references devices on delete cascade,
  at timestamptz[] not null
);
insert into device_boots (device_id, at)
  select device_id, array[booted_at] from device_states where booted_at is not null;
