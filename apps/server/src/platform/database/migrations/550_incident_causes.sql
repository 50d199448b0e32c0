-- What the faults of an incident have in common, by cause: what was announced of it, and what its site's limit holds back.
alter table incidents add column causes jsonb not null default '{}';
alter table incidents add column limited_until timestamptz;
alter table incidents add column held boolean not null default false;
create index incidents_alerted on incidents (site_id, alerted_at desc) where site_id is not null;
create index incidents_held on incidents (id) where held and closed_at is null;

update incidents
   set causes = jsonb_build_object(cause, jsonb_build_object(
     'type', type, 'key', subject_id, 'code', coalesce(data ->> 'code', cause), 'connector', data -> 'connector',
     'level', level, 'since', extract(epoch from opened_at) * 1000, 'open', open, 'devices', to_jsonb(devices),
     'announcedAt', extract(epoch from alerted_at) * 1000, 'held', false))
 where closed_at is null and subject_kind = 'alarm';

-- Of which causes each receiver was notified.
alter table incident_receivers add column causes text[] not null default '{}';
update incident_receivers r set causes = array[i.cause] from incidents i where i.id = r.incident_id and i.closed_at is null;
alter table incident_webhooks add column causes text[] not null default '{}';
update incident_webhooks w set causes = array[i.cause] from incidents i where i.id = w.incident_id and i.closed_at is null;

-- Since when nobody has taken an incident on: a cause that is announced after that starts again.
alter table incidents add column waiting_since timestamptz;
update incidents set waiting_since = opened_at;
alter table incidents alter column waiting_since set not null;
drop index incidents_waiting;
create index incidents_waiting on incidents (waiting_since)
  where open > 0 and closed_at is null and acknowledged_at is null and escalated_at is null;

-- How urgent the worst fault of a mail is: a worse one does not wait for the pause after it.
alter table message_mails add column urgency smallint not null default 0;

-- Notices say when the alarm was raised: every text shows the age of the alarm, not of the message.
create function notice_data_of_alarm(code text, connector integer, info text, raised_at timestamptz)
returns jsonb language sql stable as $$
  select jsonb_build_object('code', code, 'connector', connector, 'info', info,
    'raisedAt', to_char(raised_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;

create or replace function announce_new_alarms() returns trigger language plpgsql as $$
begin
  insert into notices (type, key, subject_kind, subject_id, customer_id, site_id, device_id, level, data)
  select notice_type_of_alarm(kind, level), id::text, 'alarm', id::text, customer_id, site_id, device_id, level,
         notice_data_of_alarm(code, connector, info, raised_at)
    from fresh where cleared_at is null and not suppressed;
  return null;
end
$$;

create or replace function announce_changed_alarms() returns trigger language plpgsql as $$
begin
  insert into notices (type, key, ended, subject_kind, subject_id, customer_id, site_id, device_id, level, data)
  select notice_type_of_alarm(a.kind, a.level), a.id::text, a.cleared_at is not null or a.suppressed, 'alarm',
         a.id::text, a.customer_id, a.site_id, a.device_id, a.level, notice_data_of_alarm(a.code, a.connector, a.info, a.raised_at)
    from after_change a join before_change b using (id)
   where (a.cleared_at is null and not a.suppressed) <> (b.cleared_at is null and not b.suppressed)
      or (a.cleared_at is null and not a.suppressed and (a.level, a.kind) <> (b.level, b.kind));
  return null;
end
$$;

create or replace function announce_removed_alarms() returns trigger language plpgsql as $$
begin
  insert into notices (type, key, ended, subject_kind, subject_id, customer_id, site_id, device_id, level, data)
  select notice_type_of_alarm(kind, level), id::text, true, 'alarm', id::text, customer_id, site_id, device_id, level,
         notice_data_of_alarm(code, connector, info, raised_at)
    from removed where cleared_at is null and not suppressed;
  return null;
end
$$;
