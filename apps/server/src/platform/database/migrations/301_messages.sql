-- What happened once, from the first notice to the recovery. Each receiver has one message about it. Places have no
-- references, because an incident outlives them.
create table incidents (
  id integer generated always as identity primary key,
  type text not null,
  cause text not null,
  level text check (level in ('OA', 'MA', 'CA')),
  customer_id integer,
  site_id integer,
  -- of the first notice
  subject_kind text not null,
  subject_id text not null,
  device_id integer,
  data jsonb not null,
  actor_id integer,
  user_ids integer[],
  devices integer[] not null,
  members integer not null,
  open integer not null,
  opened_at timestamptz not null,
  last_at timestamptz not null,
  recovered_at timestamptz,
  closed_at timestamptz,
  alerted_at timestamptz not null,
  -- when a receiver took it on, or it was passed to the substitutes
  acknowledged_at timestamptz,
  escalated_at timestamptz
) with (fillfactor = 80);
create index incidents_site on incidents (site_id, last_at desc) where closed_at is null;
create index incidents_recovered on incidents (recovered_at) where recovered_at is not null and closed_at is null;
create index incidents_waiting on incidents (opened_at)
  where open > 0 and closed_at is null and acknowledged_at is null and escalated_at is null;
create index incidents_age on incidents (last_at);

-- What an incident consists of, such as alarms.
create table incident_members (
  incident_id integer not null references incidents on delete cascade,
  key text not null,
  over boolean not null default false,
  primary key (incident_id, key)
);
create index incident_members_key on incident_members (key);

create table messages (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  incident_id integer not null references incidents on delete cascade,
  created_at timestamptz not null default now(),
  -- when the user was last alerted of it
  updated_at timestamptz not null default now(),
  read_at timestamptz,
  processed_at timestamptz,
  unique (user_id, incident_id)
);
create index messages_user on messages (user_id, updated_at desc, id desc);
create index messages_unread on messages (user_id) where read_at is null;
create index messages_incident on messages (incident_id);

-- The mails about incidents: waiting to be written, or in `outgoing_mails`, whose delivery is their state. What happens
-- on the same site before a mail is due becomes part of it.
create table message_mails (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  thread text not null,
  incident_ids integer[] not null,
  created_at timestamptz not null default now(),
  due_at timestamptz not null,
  written_at timestamptz,
  -- null after it was written: the user could not receive it any more
  mail_id bigint references outgoing_mails on delete set null
);
create unique index message_mails_waiting on message_mails (user_id, thread) where written_at is null;
create index message_mails_due on message_mails (due_at) where written_at is null;
create index message_mails_thread on message_mails (user_id, thread, written_at desc);
create index message_mails_mail on message_mails (mail_id) where mail_id is not null;
create index message_mails_age on message_mails (created_at);

-- How users are notified of a type of message, and the defaults of roles. Minutes count from midnight.
create table message_settings (
  user_id integer not null references users on delete cascade,
  type text not null,
  in_app boolean not null,
  email boolean not null,
  delayed boolean not null,
  primary key (user_id, type)
);
create table role_message_settings (
  role_id integer not null references roles on delete cascade,
  type text not null,
  in_app boolean not null,
  email boolean not null,
  delayed boolean not null,
  primary key (role_id, type)
);
create table message_times (
  user_id integer primary key references users on delete cascade,
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_to smallint check (quiet_to between 0 and 1439),
  digest_at smallint not null check (digest_at between 0 and 1439),
  check ((quiet_from is null) = (quiet_to is null))
);
create table message_mutes (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  device_id integer references devices on delete cascade,
  site_id integer references sites on delete cascade,
  until timestamptz not null,
  check (num_nonnulls(device_id, site_id) = 1)
);
create index message_mutes_user on message_mutes (user_id, until);
create index message_mutes_device on message_mutes (device_id) where device_id is not null;
create index message_mutes_site on message_mutes (site_id) where site_id is not null;

create table on_call_shifts (
  id integer generated always as identity primary key,
  customer_id integer not null references customers on delete cascade,
  -- null: all sites of the customer
  site_id integer references sites on delete cascade,
  user_id integer not null references users on delete cascade,
  substitute_id integer references users on delete set null,
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  check (begins_at < ends_at)
);
create index on_call_shifts_place on on_call_shifts (customer_id, ends_at);
create index on_call_shifts_site on on_call_shifts (site_id) where site_id is not null;
create index on_call_shifts_user on on_call_shifts (user_id);
create index on_call_shifts_substitute on on_call_shifts (substitute_id) where substitute_id is not null;

-- Announces alarms that become active or inactive, whatever changes them, with one statement for each change of any
-- number of alarms. Suppressed alarms are not active.
create function notice_type_of_alarm(kind text, level text) returns text language sql immutable as $$
  select case kind when 'offline' then 'deviceOffline' when 'alarm' then 'alarm' || level else kind end
$$;

create function announce_new_alarms() returns trigger language plpgsql as $$
begin
  insert into notices (type, key, subject_kind, subject_id, customer_id, site_id, device_id, level, data)
  select notice_type_of_alarm(kind, level), id::text, 'alarm', id::text, customer_id, site_id, device_id, level,
         jsonb_build_object('code', code, 'connector', connector, 'info', info)
    from fresh where cleared_at is null and not suppressed;
  return null;
end
$$;
create trigger alarms_announce_new after insert on alarms referencing new table as fresh
  for each statement execute function announce_new_alarms();

create function announce_changed_alarms() returns trigger language plpgsql as $$
begin
  insert into notices (type, key, ended, subject_kind, subject_id, customer_id, site_id, device_id, level, data)
  select notice_type_of_alarm(a.kind, a.level), a.id::text, a.cleared_at is not null or a.suppressed, 'alarm',
         a.id::text, a.customer_id, a.site_id, a.device_id, a.level,
         jsonb_build_object('code', a.code, 'connector', a.connector, 'info', a.info)
    from after_change a join before_change b using (id)
   where (a.cleared_at is null and not a.suppressed) <> (b.cleared_at is null and not b.suppressed)
      or (a.cleared_at is null and not a.suppressed and (a.level, a.kind) <> (b.level, b.kind));
  return null;
end
$$;
create trigger alarms_announce_changed after update on alarms
  referencing old table as before_change new table as after_change
  for each statement execute function announce_changed_alarms();

create function announce_removed_alarms() returns trigger language plpgsql as $$
begin
  insert into notices (type, key, ended, subject_kind, subject_id, customer_id, site_id, device_id, level)
  select notice_type_of_alarm(kind, level), id::text, true, 'alarm', id::text, customer_id, site_id, device_id, level
    from removed where cleared_at is null and not suppressed;
  return null;
end
$$;
create trigger alarms_announce_removed after delete on alarms referencing old table as removed
  for each statement execute function announce_removed_alarms();

-- Most changes of alarms announce nothing. They wake nobody.
create or replace function notify_notices() returns trigger language plpgsql as $$
begin
  if exists (select from announced) then
    perform pg_notify('notices', '');
  end if;
  return null;
end
$$;
drop trigger notices_notify on notices;
create trigger notices_notify after insert on notices referencing new table as announced
  for each statement execute function notify_notices();
