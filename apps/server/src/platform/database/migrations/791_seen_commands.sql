-- The end of a command to one device is announced ten seconds later, so that a sender who has seen it gets no message.
alter table notices add column not_before timestamptz;
create index notices_of_commands on notices (device_id) where type = 'commandFinished';

create or replace function announce_commands(ids uuid[]) returns void language sql as $$
  insert into notices (type, key, subject_kind, subject_id, customer_id, site_id, device_id, user_ids, data, not_before)
  select 'commandFinished', e.id::text, 'execution', e.id::text, d.customer_id, d.site_id, d.id, array[c.requested_by],
         jsonb_build_object('kind', c.kind, 'parameter', c.params ->> 'key', 'device', d.name, 'result',
           case when e.result <> 2 or t.id is null then e.result
                when t.state = 'failed' then 3 when t.state = 'timedOut' then 4 else 2 end),
         clock_timestamp() + interval '10 seconds'
    from executions e
    join commands c on c.id = e.command_id
    join devices d on d.id = e.device_id
    left join transfers t on t.execution_id = e.id
   where e.id = any(ids) and e.state = 'ended' and e.batch_id is null and e.verifies is null
     and c.requested_by is not null and (t.id is null or t.ended_at is not null)
$$;
