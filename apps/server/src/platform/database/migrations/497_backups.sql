-- The ended backups: the system dashboard shows the last one, and the schedule continues after it.
create table backups (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  scheduled boolean not null,
  path text,
  bytes bigint,
  error text,
  check ((path is null) = (error is not null))
);
create index backups_ended on backups (ended_at desc);
