-- Recordings of terminals in links. They are removed with their link.
create table link_recordings (
  id integer generated always as identity primary key,
  link_id integer not null references links on delete cascade,
  -- the user of the device
  user_name text not null,
  cols smallint not null,
  rows smallint not null,
  started_at timestamptz not null default now(),
  -- null while it is recorded, and when the server was killed
  ended_at timestamptz,
  end_reason text,
  bytes bigint not null default 0
);
create index link_recordings_link on link_recordings (link_id, id);

-- Each second of a terminal: its events as lines of asciicast v2, compressed; what was typed is encrypted, because shells
-- do not show passwords.
create table link_recording_parts (
  recording_id integer not null references link_recordings on delete cascade,
  number integer not null,
  output bytea not null,
  input text,
  primary key (recording_id, number)
);
