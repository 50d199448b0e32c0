-- What devices last said that is no number: names, versions, modes in words. Numbers stand in latest_readings.
create table latest_texts (
  device_id integer not null references devices on delete cascade,
  connector smallint not null,
  key text not null,
  value text not null,
  at timestamptz not null,
  primary key (device_id, connector, key)
) with (fillfactor = 70);
