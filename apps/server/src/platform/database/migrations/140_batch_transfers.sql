-- Commands that move a file, to several devices at once: a device of such a batch is done when its file has arrived.

-- What the file of an execution of a batch comes to (`fateOf` of the domain); null where it moves none. It is noted after
-- its transfer has ended, in a transaction of its own: what stores the reports of many devices holds no batch meanwhile.
alter table executions add column file text check (file in ('underWay', 'done', 'failed', 'timedOut'));
create index executions_file on executions (id) where file = 'underWay';

-- The result for whoever gave the command; the same as `outcomeOf` of the domain.
create function execution_outcome(state text, result smallint, file text) returns smallint language sql immutable as $$
  select case when state <> 'ended' or file is null then result
              when file = 'done' then 2::smallint
              when result <> 2 then result
              when file = 'underWay' then 1::smallint
              when file = 'failed' then 3::smallint
              else 4::smallint end
$$;

-- Under which count an execution falls; the same as `countOf` of the domain.
create function batch_count(state text, result smallint, reason text, refused boolean, file text) returns text
language sql immutable as $$
  select case when refused then 'refused'
              when state = 'queued' then 'queued'
              when reason in ('cancelled', 'batchStopped') then 'cancelled'
              else case execution_outcome(state, result, file)
                     when 1 then 'inFlight'
                     when 2 then 'succeeded'
                     when 4 then 'timedOut'
                     when 5 then 'offline'
                     else 'failed' end end
$$;

create or replace function count_batch_inserts() returns trigger language plpgsql as $$
begin
  perform move_batch(batch_id, jsonb_object_agg(name, n)) from (
    select batch_id, batch_count(state, result, reason, refused, file) as name, count(*) as n
      from added where batch_id is not null group by 1, 2
  ) moves group by batch_id order by batch_id;
  return null;
end $$;
create or replace function count_batch_updates() returns trigger language plpgsql as $$
begin
  perform move_batch(batch_id, jsonb_object_agg(name, n)) from (
    select batch_id, name, sum(n) as n from (
      select batch_id, batch_count(state, result, reason, refused, file) as name, 1 as n
        from after where batch_id is not null
      union all
      select batch_id, batch_count(state, result, reason, refused, file), -1
        from before where batch_id is not null
    ) each group by 1, 2 having sum(n) <> 0
  ) moves group by batch_id order by batch_id;
  return null;
end $$;
create or replace function count_batch_deletes() returns trigger language plpgsql as $$
begin
  perform move_batch(batch_id, jsonb_object_agg(name, n)) from (
    select batch_id, batch_count(state, result, reason, refused, file) as name, -count(*) as n
      from gone where batch_id is not null group by 1, 2
  ) moves group by batch_id order by batch_id;
  return null;
end $$;
drop function batch_count(text, smallint, text, boolean);
