-- Readings that are no longer new, compressed in batches of one device and one hour (UTC) at most. `readings` has the
-- newer and the late ones. The times of the batches of a device do not overlap. Existing readings are packed after the
-- upgrade, the newest days first.
create table reading_batches (
  device_id integer not null,
  -- the times of the earliest and the latest reading
  at timestamptz not null,
  last_at timestamptz not null,
  readings integer not null,
  data bytea not null
) partition by range (at);
alter table reading_batches alter column data set storage external;
create index reading_batches_device on reading_batches (device_id, at);
create table reading_batches_default partition of reading_batches default;

-- The same days as `readings`.
do $$
declare
  day text;
begin
  for day in
    select right(c.relname, 8) from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'readings'::regclass and c.relname ~ '_[0-9]{8}$'
  loop
    execute format(
      'create table reading_batches_%s partition of reading_batches for values from (%L) to (%L)',
      day, to_date(day, 'YYYYMMDD') || 'T00:00:00Z', (to_date(day, 'YYYYMMDD') + 1) || 'T00:00:00Z');
  end loop;
end $$;
