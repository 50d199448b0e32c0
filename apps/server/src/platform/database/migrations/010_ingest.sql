-- Which groups of uplink events are committed: a group whose commit was cut off is found here before it is tried again.
create table ingest_batches (
  id uuid primary key,
  at timestamptz not null default now()
);
create index ingest_batches_at on ingest_batches (at);

-- At most one open event of a kind on a connector, so that a repeated report opens no second one.
create unique index device_events_open on device_events (device_id, connector, type, code) where ended_at is null;

-- A layout can be longer than an index entry may be.
alter table reading_layouts drop constraint reading_layouts_items_key;
create unique index reading_layouts_items on reading_layouts (md5(items::text));
