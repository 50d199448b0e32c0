-- Frames of the protocol log that are no longer new, compressed in batches of one device. `protocol_frames` has the newer
-- ones. The IDs in the batches of a device do not overlap; a batch is within one UTC day.
create table frame_batches (
  device_id integer not null,
  first_id bigint not null,
  last_id bigint not null,
  -- the times of the earliest and the latest frame
  at timestamptz not null,
  last_at timestamptz not null,
  frames smallint not null,
  -- the batch is small, and the next frames of its day are added to it
  takes_more boolean not null,
  -- numbers of the message IDs and actions in the batch
  keys integer[] not null,
  -- the number of the dictionary of the compressed data
  dictionary smallint not null,
  data bytea not null
) partition by range (at);
alter table frame_batches alter column data set storage external;
create index frame_batches_device on frame_batches (device_id, last_id);
create index frame_batches_keys on frame_batches using gin (keys);
create table frame_batches_default partition of frame_batches default;

-- The same days as `protocol_frames`, whose rows are packed after the upgrade.
do $$
declare
  day text;
begin
  for day in
    select right(c.relname, 8) from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'protocol_frames'::regclass and c.relname ~ '_[0-9]{8}$'
  loop
    execute format(
      'create table frame_batches_%s partition of frame_batches for values from (%L) to (%L)',
      day, to_date(day, 'YYYYMMDD') || 'T00:00:00Z', (to_date(day, 'YYYYMMDD') + 1) || 'T00:00:00Z');
  end loop;
end $$;
