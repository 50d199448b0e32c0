-- Messages between processes that do not fit in a notification. They are read at once and kept for a minute.
create unlogged table bus_messages (
  id text primary key,
  body text not null,
  at timestamptz not null default now()
);
create index bus_messages_at on bus_messages (at);
