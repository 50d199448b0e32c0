-- An alarm and an event repeat the place of their device, so that lists, counts and rankings of a scope need no join;
-- the composite key moves them along with the device.
alter table devices add constraint devices_place unique (id, site_id, customer_id);

alter table alarms
  add column site_id integer,
  add column customer_id integer,
  -- the model at the time: a device that becomes another kind keeps its past
  add column device_model_id integer references device_models on delete set null,
  add column severity smallint not null generated always as (case level when 'CA' then 3 when 'MA' then 2 else 1 end) stored,
  -- how often it came back within minutes of being cleared
  add column reopened integer not null default 0,
  -- raised while people work on the device or it updates: shown, not counted
  add column suppressed boolean not null default false,
  add column acknowledged_by_name text,
  add column acknowledged_note text;
update alarms a set site_id = d.site_id, customer_id = d.customer_id, device_model_id = d.device_model_id
  from devices d where d.id = a.device_id;
update alarms a set acknowledged_by_name = coalesce((select user_name from users u where u.id = a.acknowledged_by), '')
  where acknowledged_at is not null;
alter table alarms
  alter column site_id set not null,
  alter column customer_id set not null,
  drop constraint alarms_device_id_fkey,
  add constraint alarms_device foreign key (device_id, site_id, customer_id)
    references devices (id, site_id, customer_id) on update cascade on delete cascade,
  add constraint alarms_acknowledged check ((acknowledged_at is null) = (acknowledged_by_name is null));

alter table device_events add column site_id integer, add column customer_id integer;
update device_events e set site_id = d.site_id, customer_id = d.customer_id from devices d where d.id = e.device_id;
alter table device_events
  alter column site_id set not null,
  alter column customer_id set not null,
  drop constraint device_events_device_id_fkey,
  add constraint device_events_device foreign key (device_id, site_id, customer_id)
    references devices (id, site_id, customer_id) on update cascade on delete cascade;

-- The device is held while its place is copied: one that moves meanwhile is waited for, not missed.
create function place_alarm() returns trigger language plpgsql as $$
begin
  select site_id, customer_id, device_model_id into new.site_id, new.customer_id, new.device_model_id
    from devices where id = new.device_id for key share;
  return new;
end $$;
create trigger alarms_place before insert on alarms for each row execute function place_alarm();
create function place_device_event() returns trigger language plpgsql as $$
begin
  select site_id, customer_id into new.site_id, new.customer_id from devices where id = new.device_id for key share;
  return new;
end $$;
create trigger device_events_place before insert on device_events for each row execute function place_device_event();

-- open ones: the list, and the counts of a scope
create index alarms_open on alarms (severity desc, raised_at desc, id desc) where cleared_at is null;
create index alarms_open_places on alarms (customer_id, site_id)
  include (level, kind, suppressed, acknowledged_at) where cleared_at is null;
-- all of a period, whose ranking is counted in the index alone
create index alarms_raised on alarms (raised_at desc, id desc)
  include (customer_id, site_id, device_id, device_model_id, code, kind, level, suppressed);
create index alarms_customer on alarms (customer_id, raised_at desc, id desc);
create index alarms_site on alarms (site_id, raised_at desc, id desc);
create index alarms_model on alarms (device_model_id, raised_at desc, id desc);
create index alarms_code on alarms (code, raised_at desc, id desc);
create index alarms_severity on alarms (severity desc, raised_at desc, id desc);
create index alarms_cleared on alarms (cleared_at) include (customer_id, site_id, suppressed)
  where cleared_at is not null;
-- the last episode of a code, which a return within minutes takes up again
create index alarms_last on alarms (device_id, connector, code, cleared_at desc);

create index device_events_at on device_events (at desc, id desc);
create index device_events_customer on device_events (customer_id, at desc, id desc);
create index device_events_site on device_events (site_id, at desc, id desc);

-- When a lost line becomes an alarm; null while the device is connected, or once it has become one.
alter table device_states add column offline_due_at timestamptz;
update device_states set offline_due_at = now() + interval '5 minutes' where not connected and disconnected_at is not null;
create index device_states_offline_due on device_states (offline_due_at) where offline_due_at is not null;

create table alarm_comments (
  id bigint generated always as identity primary key,
  alarm_id bigint not null references alarms on delete cascade,
  at timestamptz not null default now(),
  user_id integer references users on delete set null,
  user_name text not null,
  text text not null
);
create index alarm_comments_alarm on alarm_comments (alarm_id, id);

-- What a code is called, and how grave it is on a model; without a model: on all that do not say otherwise.
create table alarm_codes (
  id integer generated always as identity primary key,
  device_model_id integer references device_models on delete cascade,
  code text not null,
  name_en text not null,
  name_zh text not null,
  -- null: as the device reports it
  kind text check (kind in ('alarm', 'fault', 'unavailable')),
  level text check (level in ('OA', 'MA', 'CA')),
  unique nulls not distinct (device_model_id, code)
);
create index alarm_codes_code on alarm_codes (code);

-- OCPP 1.6 §7.6 ChargePointErrorCode, and what the product itself raises
insert into alarm_codes (code, name_en, name_zh) values
  ('ConnectorLockFailure', 'Connector lock failure', '枪锁故障'),
  ('EVCommunicationError', 'Communication with the vehicle failed', '与车辆通信异常'),
  ('GroundFailure', 'Ground fault protection tripped', '接地故障'),
  ('HighTemperature', 'Temperature too high', '温度过高'),
  ('InternalError', 'Internal hardware or software error', '内部软硬件错误'),
  ('LocalListConflict', 'Local authorization list conflict', '本地鉴权列表冲突'),
  ('NoError', 'Fault without an error code', '未注明错误码的故障'),
  ('OtherError', 'Other error', '其他错误'),
  ('OverCurrentFailure', 'Over-current protection tripped', '过流保护动作'),
  ('OverVoltage', 'Voltage too high', '过压'),
  ('PowerMeterFailure', 'Power meter failure', '电表故障'),
  ('PowerSwitchFailure', 'Power switch failure', '电源开关故障'),
  ('ReaderFailure', 'Card reader failure', '读卡器故障'),
  ('ResetFailure', 'Reset failed', '重启失败'),
  ('UnderVoltage', 'Voltage too low', '欠压'),
  ('WeakSignal', 'Weak wireless signal', '无线信号弱'),
  ('Offline', 'Device offline', '设备离线'),
  ('Unavailable', 'Out of service', '停止服务');
