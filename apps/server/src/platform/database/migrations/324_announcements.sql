-- Announces what users are notified of besides alarms, whatever changes the rows, in the same transaction.

-- A command, to its sender. A command that transfers a file has ended when its transfer has.
create function announce_commands(ids uuid[]) returns void language sql as $$
  insert into notices (type, key, subject_kind, subject_id, customer_id, site_id, device_id, user_ids, data)
  select 'commandFinished', e.id::text, 'execution', e.id::text, d.customer_id, d.site_id, d.id, array[c.requested_by],
         jsonb_build_object('kind', c.kind, 'parameter', c.params ->> 'key', 'device', d.name, 'result',
           case when e.result <> 2 or t.id is null then e.result
                when t.state = 'failed' then 3 when t.state = 'timedOut' then 4 else 2 end)
    from executions e
    join commands c on c.id = e.command_id
    join devices d on d.id = e.device_id
    left join transfers t on t.execution_id = e.id
   where e.id = any(ids) and e.state = 'ended' and e.batch_id is null and e.verifies is null
     and c.requested_by is not null and (t.id is null or t.ended_at is not null)
$$;

create function announce_ended_executions() returns trigger language plpgsql as $$
declare
  ids uuid[];
begin
  select array_agg(n.id) into ids from new_rows n join old_rows o on o.id = n.id
   where n.ended_at is not null and o.ended_at is null and n.batch_id is null;
  if ids is not null then
    perform announce_commands(ids);
  end if;
  return null;
end $$;
create trigger executions_announce after update on executions
  referencing old table as old_rows new table as new_rows for each statement execute function announce_ended_executions();

create function announce_ended_transfers() returns trigger language plpgsql as $$
declare
  ids uuid[];
begin
  select array_agg(n.execution_id) into ids from new_rows n join old_rows o on o.id = n.id
   where n.ended_at is not null and o.ended_at is null;
  if ids is not null then
    perform announce_commands(ids);
  end if;
  return null;
end $$;
create trigger transfers_announce after update on transfers
  referencing old table as old_rows new table as new_rows for each statement execute function announce_ended_transfers();

-- A batch, once, to its sender.
create function announce_ended_batch() returns trigger language plpgsql as $$
begin
  insert into notices (type, key, subject_kind, subject_id, customer_id, site_id, user_ids, data)
  select case when c.kind in ('upgradeSoftware', 'updatePlcFirmware') then 'firmwareRollout' else 'commandFinished' end,
         'batch ' || new.id, 'commandBatch', new.id::text, new.customer_id, new.site_id, array[c.requested_by],
         jsonb_build_object('kind', c.kind, 'parameter', c.params ->> 'key', 'succeeded', new.succeeded,
           'failed', new.failed + new.timed_out + new.offline, 'cancelled', new.cancelled, 'refused', new.refused)
    from commands c where c.id = new.command_id and c.requested_by is not null;
  return null;
end $$;
create trigger command_batches_announce after update on command_batches
  for each row when (old.ended_at is null and new.ended_at is not null) execute function announce_ended_batch();

-- Devices that wait for registration, until they are registered or removed. Further attempts announce nothing.
create function announce_waiting_devices() returns trigger language plpgsql as $$
begin
  insert into notices (type, key, ended, subject_kind, subject_id, data)
  select 'waitingDevice', lower(sn), tg_op = 'DELETE', 'waitingDevice', id::text,
         jsonb_build_object('sn', sn, 'vendor', vendor, 'model', model, 'address', remote_address)
    from changed order by id;
  return null;
end $$;
create trigger blacklist_entries_announce_new after insert on blacklist_entries referencing new table as changed
  for each statement execute function announce_waiting_devices();
create trigger blacklist_entries_announce_removed after delete on blacklist_entries referencing old table as changed
  for each statement execute function announce_waiting_devices();

-- Waiting devices have no site: those of some minutes belong to one incident.
create index incidents_waiting_devices on incidents (last_at) where type = 'waitingDevice' and closed_at is null;
