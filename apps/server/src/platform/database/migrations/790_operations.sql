-- A command to devices of several sites is one operation. Its batches, one for each site, refer to the ID of the first one,
-- also after that one was deleted with its site.
alter table command_batches drop constraint command_batches_group_id_fkey;
drop index command_batches_group;
alter table command_batches rename column group_id to operation_id;
update command_batches set operation_id = id where operation_id is null;
alter table command_batches alter column operation_id set not null;
create index command_batches_operation on command_batches (operation_id desc);

-- The end of an operation is announced once, some seconds later, and not to a sender who has seen it by then.
drop trigger command_batches_announce on command_batches;
drop function announce_ended_batch();
alter table command_batches add column seen_at timestamptz, add column announced_at timestamptz;
update command_batches set announced_at = ended_at where ended_at is not null;
create index command_batches_unannounced on command_batches (ended_at) where announced_at is null and ended_at is not null;

create function complete_batch() returns trigger language plpgsql as $$
begin
  new.operation_id := coalesce(new.operation_id, new.id);
  -- One that is stored with its end belongs to a history.
  new.announced_at := coalesce(new.announced_at, new.ended_at);
  return new;
end $$;
create trigger command_batches_complete before insert on command_batches
  for each row execute function complete_batch();
