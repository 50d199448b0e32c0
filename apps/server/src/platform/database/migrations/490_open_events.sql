-- What happens to the fleet, for other software: streams and webhooks of applications. Triggers add the events in the
-- transaction of their cause, while there is an application. After the commit they are numbered, in one order for all.
create table open_events (
  id bigint generated always as identity primary key,
  -- null until it is numbered
  position bigint unique,
  -- counts the events of the device
  sequence bigint,
  type text not null,
  -- the place at the time. No references, so that an event never waits for another transaction
  customer_id integer not null,
  site_id integer,
  device_id integer,
  at timestamptz not null default now(),
  data jsonb not null
);
create index open_events_new on open_events (id) where position is null;
create index open_events_age on open_events (at);

-- One row: the last position, and the last one that was removed because of its age or the size of the table.
create table open_event_positions (
  one boolean primary key default true check (one),
  numbered bigint not null default 0,
  removed bigint not null default 0
);
insert into open_event_positions default values;

create table open_event_sequences (
  device_id integer primary key,
  sequence bigint not null
);

create function notify_open_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('open_events', '');
  return null;
end $$;
create trigger open_events_notify after insert on open_events
  for each statement execute function notify_open_events();

-- Suppressed alarms are not active.
create function record_alarm_event() returns trigger language plpgsql as $$
begin
  if exists (select from applications) then
    insert into open_events (type, customer_id, site_id, device_id, data)
    values (case when new.cleared_at is null and not new.suppressed then 'alarm.raised' else 'alarm.cleared' end,
            new.customer_id, new.site_id, new.device_id,
            jsonb_build_object('id', new.id, 'deviceId', new.device_id, 'siteId', new.site_id, 'code', new.code,
              'level', new.level, 'connector', new.connector, 'raisedAt', new.raised_at, 'clearedAt', new.cleared_at,
              'acknowledgedAt', new.acknowledged_at));
  end if;
  return null;
end $$;
create trigger alarms_event_new after insert on alarms
  for each row when (new.cleared_at is null and not new.suppressed) execute function record_alarm_event();
create trigger alarms_event_changed after update on alarms
  for each row when ((new.cleared_at is null and not new.suppressed) <> (old.cleared_at is null and not old.suppressed))
  execute function record_alarm_event();

create function record_device_event() returns trigger language plpgsql as $$
begin
  if exists (select from applications) then
    insert into open_events (type, customer_id, site_id, device_id, data)
    values ('device.status', new.customer_id, new.site_id, new.id,
            jsonb_build_object('id', new.id, 'sn', new.sn, 'status', new.status, 'previousStatus', old.status,
              'statusSince', new.status_since));
  end if;
  return null;
end $$;
create trigger devices_event after update on devices
  for each row when (new.status <> old.status) execute function record_device_event();

-- A command that transfers a file has ended when its transfer has.
create function record_command_event(execution uuid) returns void language plpgsql as $$
begin
  if exists (select from applications) then
    insert into open_events (type, customer_id, site_id, device_id, data)
    select 'command.finished', d.customer_id, d.site_id, d.id,
           jsonb_build_object('id', e.id, 'deviceId', d.id, 'kind', c.kind, 'result',
             case when e.result <> 2 or t.id is null then e.result
                  when t.state = 'failed' then 3 when t.state = 'timedOut' then 4 else 2 end,
             'reason', e.reason, 'queuedAt', e.queued_at, 'sentAt', e.sent_at,
             'endedAt', coalesce(t.ended_at, e.ended_at))
      from executions e
      join commands c on c.id = e.command_id
      join devices d on d.id = e.device_id
      left join transfers t on t.execution_id = e.id
     where e.id = execution and e.state = 'ended' and e.verifies is null
       and (t.id is null or t.ended_at is not null);
  end if;
end $$;
create function record_ended_execution() returns trigger language plpgsql as $$
begin
  perform record_command_event(new.id);
  return null;
end $$;
create trigger executions_event after update on executions
  for each row when (new.ended_at is not null and old.ended_at is null) execute function record_ended_execution();
create function record_ended_transfer() returns trigger language plpgsql as $$
begin
  perform record_command_event(new.execution_id);
  return null;
end $$;
create trigger transfers_event after update on transfers
  for each row when (new.ended_at is not null and old.ended_at is null) execute function record_ended_transfer();

create function record_issue_event() returns trigger language plpgsql as $$
begin
  if exists (select from applications) then
    insert into open_events (type, customer_id, site_id, device_id, data)
    values (case tg_op when 'INSERT' then 'issue.created' else 'issue.changed' end,
            new.customer_id, new.site_id, new.device_id,
            jsonb_build_object('id', new.id, 'number', new.number, 'title', new.title, 'status', new.status,
              'type', new.type, 'priority', new.priority, 'customerId', new.customer_id, 'siteId', new.site_id,
              'deviceId', new.device_id, 'createdAt', new.created_at, 'updatedAt', new.updated_at));
  end if;
  return null;
end $$;
create trigger issues_event_new after insert on issues for each row execute function record_issue_event();
create trigger issues_event_changed after update on issues
  for each row when ((new.status, new.priority, new.title, new.type) is distinct from
                     (old.status, old.priority, old.title, old.type)) execute function record_issue_event();
