-- When an item of a model is an alarm: what a model says itself, by the code of the alarm; what it inherits is not
-- repeated, as with its items and controls.
create table device_model_rules (
  device_model_id integer not null references device_models on delete cascade,
  code text not null,
  -- the parent has it, this model has not
  removed boolean not null,
  enabled boolean not null,
  name_en text not null,
  name_zh text not null,
  kind text not null check (kind in ('alarm', 'fault', 'unavailable')),
  level text not null check (level in ('OA', 'MA', 'CA')),
  data_item_id integer not null,
  type smallint not null,
  -- null: each connector by itself
  connector smallint check (connector >= 0),
  condition text not null
    check (condition in ('above', 'below', 'outside', 'inside', 'is', 'isNot', 'changed', 'missing')),
  low double precision,
  high double precision,
  named_values text[] not null,
  hysteresis double precision not null check (hysteresis >= 0),
  duration_seconds integer not null check (duration_seconds >= 0),
  primary key (device_model_id, code),
  constraint device_model_rules_item foreign key (data_item_id, type) references data_items (id, type)
);
create index device_model_rules_by_item on device_model_rules (data_item_id, type);

-- Rules whose condition holds on a connector of a device, and those that wait for silence: what a restart must not forget.
create table alarm_rule_states (
  device_id integer not null references devices on delete cascade,
  connector smallint not null,
  code text not null,
  -- what the rule said when it was so; another rule of the same code begins anew
  print text not null,
  since timestamptz not null,
  -- with which it began
  value text,
  raised boolean not null,
  -- when to look without a new value; null: not before one comes
  due_at timestamptz,
  primary key (device_id, connector, code)
) with (fillfactor = 80);
create index alarm_rule_states_due on alarm_rule_states (due_at) where due_at is not null;

-- The rule that raised an alarm, and the value, as they were; an event keeps what it is called.
alter table alarms add column rule jsonb;
alter table device_events add column rule_name jsonb;
create index alarms_open_rules on alarms (device_id) where cleared_at is null and source = 'rule';

-- Whoever keeps what models say, or of which model a device is, in memory hears that it changed.
create function tell_models() returns trigger language plpgsql as $$
begin
  perform pg_notify('device_models', '');
  return null;
end $$;
create trigger device_models_told after update of version on device_models
  for each row when (old.version is distinct from new.version) execute function tell_models();
create trigger devices_model_told after update of device_model_id on devices
  for each row when (old.device_model_id is distinct from new.device_model_id) execute function tell_models();
