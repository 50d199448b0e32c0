-- What was deleted by its age, per kind and day. The dashboard shows the last ones.
create table deletions (
  day date not null,
  kind text not null,
  at timestamptz not null,
  count bigint not null,
  primary key (day, kind)
);

-- Partitions that are past their retention. They are dropped a day later, or attached again.
create schema if not exists detached;
create table detached_partitions (
  name text primary key,
  parent text not null,
  detached_at timestamptz not null
);
