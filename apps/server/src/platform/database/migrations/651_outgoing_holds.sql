-- While there is a row, nothing is sent to receivers outside: the database is a restored copy, and root has not released it.
create table outgoing_holds (
  -- at most one row
  held boolean primary key default true check (held),
  since timestamptz not null default now()
);
