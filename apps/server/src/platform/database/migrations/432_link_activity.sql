-- What happened in links besides terminals: requests to web pages, connections, and files. Removed with the link.
create table link_activity (
  link_id integer not null references links on delete cascade,
  number integer not null,
  kind text not null,
  started_at timestamptz not null,
  -- null while it runs, and when the server was killed
  ended_at timestamptz,
  text text not null,
  result text,
  status smallint,
  bytes_in bigint not null,
  bytes_out bigint not null,
  primary key (link_id, number)
);
