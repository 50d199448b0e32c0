-- Commands to several devices of one site. One command, an execution for each device; how far it has come is counted with
-- the executions themselves, so that reading it costs nothing and two who ask devices at the same instant meet here.
create table command_batches (
  id integer generated always as identity primary key,
  command_id bigint not null unique references commands on delete cascade,
  site_id integer not null,
  customer_id integer not null,
  connector smallint not null,
  -- how many devices are asked at a time
  parallel smallint not null check (parallel between 1 and 1000),
  -- after so many failures the rest is not asked; null: never
  stop_after smallint check (stop_after between 1 and 1000),
  -- the strictest level that its devices asked of whoever gave it, and the one for reading the value it carries
  level smallint not null check (level between 0 and 5),
  value_level smallint not null check (value_level between 0 and 5),
  queue_minutes integer check (queue_minutes between 1 and 10080),
  rerun_of integer references command_batches on delete set null,
  stopped_at timestamptz,
  stop_reason text check (stop_reason in ('failures', 'person')),
  stopped_by_name text,
  ended_at timestamptz,
  queued integer not null default 0 check (queued >= 0),
  in_flight integer not null default 0 check (in_flight >= 0),
  succeeded integer not null default 0 check (succeeded >= 0),
  failed integer not null default 0 check (failed >= 0),
  timed_out integer not null default 0 check (timed_out >= 0),
  offline integer not null default 0 check (offline >= 0),
  cancelled integer not null default 0 check (cancelled >= 0),
  refused integer not null default 0 check (refused >= 0),
  constraint command_batches_place foreign key (site_id, customer_id)
    references sites (id, customer_id) on update cascade on delete cascade,
  constraint command_batches_stopped check ((stopped_at is null) = (stop_reason is null)),
  constraint command_batches_parallel check (in_flight <= parallel)
) with (fillfactor = 70);
create index command_batches_site on command_batches (site_id, id desc);
create index command_batches_customer on command_batches (customer_id, id desc);
create index command_batches_running on command_batches (id) where ended_at is null;
create index command_batches_rerun on command_batches (rerun_of) where rerun_of is not null;

alter table executions
  add column batch_id integer references command_batches on delete cascade,
  -- known not to work when the batch was asked for: its device was never to be asked
  add column refused boolean not null default false,
  -- until when it waits for its device; null: it ends when the device is offline
  add column waits_until timestamptz,
  add column precondition text check (precondition in ('noSession', 'maintenance'));
create index executions_batch on executions (batch_id, result, device_id) where batch_id is not null;
create index executions_batch_queue on executions (batch_id, queued_at, id) where batch_id is not null and state = 'queued';

-- Under which count an execution falls; the same as `countOf` of the domain.
create function batch_count(state text, result smallint, reason text, refused boolean) returns text
language sql immutable as $$
  select case when refused then 'refused'
              when state = 'queued' then 'queued'
              when state = 'sent' then 'inFlight'
              when reason in ('cancelled', 'batchStopped') then 'cancelled'
              when result = 2 then 'succeeded'
              when result = 4 then 'timedOut'
              when result = 5 then 'offline'
              else 'failed' end
$$;

-- Moves the counts of a batch; the same as `nextBatch` of the domain. The row is locked by it: of two that would ask one
-- device too many, the second finds the first one's count.
create function move_batch(batch integer, change jsonb) returns void language plpgsql as $$
declare
  moved command_batches;
  asked integer := coalesce((change ->> 'inFlight')::integer, 0);
begin
  update command_batches b
     set queued = b.queued + coalesce((change ->> 'queued')::integer, 0),
         in_flight = b.in_flight + asked,
         succeeded = b.succeeded + coalesce((change ->> 'succeeded')::integer, 0),
         failed = b.failed + coalesce((change ->> 'failed')::integer, 0),
         timed_out = b.timed_out + coalesce((change ->> 'timedOut')::integer, 0),
         offline = b.offline + coalesce((change ->> 'offline')::integer, 0),
         cancelled = b.cancelled + coalesce((change ->> 'cancelled')::integer, 0),
         refused = b.refused + coalesce((change ->> 'refused')::integer, 0),
         ended_at = case
           when b.queued + coalesce((change ->> 'queued')::integer, 0) + b.in_flight + asked > 0 then null
           else coalesce(b.ended_at, clock_timestamp()) end
   where b.id = batch
  returning * into moved;
  if not found then return; end if;
  if asked > 0 and moved.stopped_at is not null then
    raise exception 'a batch that has stopped asks no more devices'
      using errcode = 'check_violation', constraint = 'command_batches_stopped';
  end if;
  if moved.stopped_at is null and moved.failed + moved.timed_out + moved.offline >= moved.stop_after then
    update command_batches set stopped_at = clock_timestamp(), stop_reason = 'failures' where id = batch;
  end if;
end $$;

-- One change for each batch and statement, in the order of the batches: who changes several waits, and never in a circle.
create function count_batch_inserts() returns trigger language plpgsql as $$
begin
  perform move_batch(batch_id, jsonb_object_agg(name, n)) from (
    select batch_id, batch_count(state, result, reason, refused) as name, count(*) as n
      from added where batch_id is not null group by 1, 2
  ) moves group by batch_id order by batch_id;
  return null;
end $$;
create function count_batch_updates() returns trigger language plpgsql as $$
begin
  perform move_batch(batch_id, jsonb_object_agg(name, n)) from (
    select batch_id, name, sum(n) as n from (
      select batch_id, batch_count(state, result, reason, refused) as name, 1 as n from after where batch_id is not null
      union all
      select batch_id, batch_count(state, result, reason, refused), -1 from before where batch_id is not null
    ) each group by 1, 2 having sum(n) <> 0
  ) moves group by batch_id order by batch_id;
  return null;
end $$;
create function count_batch_deletes() returns trigger language plpgsql as $$
begin
  perform move_batch(batch_id, jsonb_object_agg(name, n)) from (
    select batch_id, batch_count(state, result, reason, refused) as name, -count(*) as n
      from gone where batch_id is not null group by 1, 2
  ) moves group by batch_id order by batch_id;
  return null;
end $$;
create trigger executions_batch_inserts after insert on executions
  referencing new table as added for each statement execute function count_batch_inserts();
create trigger executions_batch_updates after update on executions
  referencing old table as before new table as after for each statement execute function count_batch_updates();
create trigger executions_batch_deletes after delete on executions
  referencing old table as gone for each statement execute function count_batch_deletes();
