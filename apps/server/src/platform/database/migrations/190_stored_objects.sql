-- The keys of the embedded object store in the order of their bytes, so that a list reads no folder. The files remain
-- what counts: a row stands here before its file appears and until its file is gone.
create table stored_objects (
  bucket text not null,
  key text collate "C" not null,
  size bigint not null default 0,
  etag text not null default '',
  modified_at timestamptz not null default now(),
  -- a change of the file was begun and not yet recorded: what the file says counts, not this row
  pending boolean not null,
  primary key (bucket, key)
);
create index stored_objects_pending on stored_objects (bucket, key) where pending;
