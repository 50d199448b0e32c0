-- The situation of a device when an issue about it was created. Never changed, and kept when the device is deleted.
create table issue_evidence (
  issue_id integer primary key references issues on delete cascade,
  taken_at timestamptz not null default now(),
  situation jsonb not null,
  -- the protocol log of the hour before, newest first, with secrets masked
  frames jsonb not null
);
