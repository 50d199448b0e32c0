-- What readings come to over five minutes, an hour and a day, laid out as readings are: one row for each (device,
-- connector, layout, bucket), an array entry for each quantity. A day begins at midnight of the fleet's zone.
create table readings_5m (
  device_id integer not null,
  connector smallint not null,
  layout_id integer not null,
  -- where the bucket begins
  at timestamptz not null,
  -- how many readings there were, and when the first and the last of them
  readings integer not null check (readings > 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- of analog quantities
  low real[] not null,
  high real[] not null,
  mean real[] not null,
  -- of counters: the first and last values by time, and the highest, which tells a restart in between
  counter_first float8[] not null,
  counter_last float8[] not null,
  counter_high float8[] not null
) partition by range (at);
create unique index readings_5m_once on readings_5m (device_id, at, connector, layout_id);
create table readings_5m_default partition of readings_5m default;

create table readings_1h (like readings_5m including constraints) partition by range (at);
create unique index readings_1h_once on readings_1h (device_id, at, connector, layout_id);
create table readings_1h_default partition of readings_1h default;

create table readings_1d (like readings_5m including constraints) partition by range (at);
create unique index readings_1d_once on readings_1d (device_id, at, connector, layout_id);
create table readings_1d_default partition of readings_1d default;

-- Which five minutes of a device have readings that are not rolled up yet. Written with the readings themselves and
-- only ever added to, so that no two batches wait for each other; several rows may name the same five minutes.
create table reading_marks (
  device_id integer not null,
  at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 20000);
create index reading_marks_device on reading_marks (device_id, at);

-- Which hours and days are to be rolled up again, because what they are made of changed. One worker at a time writes it.
create table rollup_marks (
  level text not null check (level in ('hour', 'day')),
  device_id integer not null,
  at timestamptz not null,
  primary key (device_id, level, at)
);

insert into reading_marks (device_id, at)
  select distinct device_id, date_bin('5 minutes', at, timestamptz '2000-01-01 00:00+00') from readings;
