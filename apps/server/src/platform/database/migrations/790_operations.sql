-- A command to devices of several sites is one operation. Its batches, one for each site, have the ID of the first one,
-- also after that one was deleted with its site.
alter table command_batches drop constraint command_batches_group_id_fkey;
alter table command_batches
  add column operation_id integer not null generated always as (coalesce(group_id, id)) stored;
create index command_batches_operation on command_batches (operation_id desc);

-- The end of an operation is announced once, some seconds later, and not to a sender who has seen it by then.
drop trigger command_batches_announce on command_batches;
alter table command_batches add column seen_at timestamptz, add column announced_at timestamptz;
update command_batches set announced_at = ended_at where ended_at is not null;
create index command_batches_unannounced on command_batches (ended_at) where announced_at is null and ended_at is not null;
