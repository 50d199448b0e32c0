-- Every value that a parameter of a device had, from when on, and how it became known. A row is written with the value
-- itself, and only when it is another one than before.
create table parameter_history (
  id bigint generated always as identity primary key,
  device_id integer not null references devices on delete cascade,
  key text not null,
  -- null: the device has the parameter, but does not tell its value any more
  value text,
  at timestamptz not null,
  -- read: the device was asked; set: it took the value that it was given; boot: it told of itself
  source text not null check (source in ('read', 'set', 'boot')),
  -- no foreign key: the value outlives what is known of how it came
  execution_id uuid,
  -- who set it; null: the device
  changed_by text
);
create index parameter_history_device on parameter_history (device_id, id desc);
create index parameter_history_key on parameter_history (device_id, lower(key), id desc);

insert into parameter_history (device_id, key, value, at, source)
select device_id, key, value, read_at, 'read' from device_parameters where value is not null order by device_id, key;

-- Secrets were kept as devices told them until now.
update device_parameters set value = null where key ~* 'authorizationkey|passw(or)?d|passphrase|secret|private_?key';
update parameter_history set value = null where key ~* 'authorizationkey|passw(or)?d|passphrase|secret|private_?key';

-- An execution that reads back what another one set, and the value that the device then told.
alter table executions
  add column verifies uuid references executions on delete cascade,
  add column read_back text;
create unique index executions_verifies on executions (verifies) where verifies is not null;

-- Values of a model's parameters as they should be. Without a customer it is the platform's and everybody's to use.
create table parameter_baselines (
  id integer generated always as identity primary key,
  device_model_id integer not null references device_models on delete cascade,
  customer_id integer references customers on delete cascade,
  name text not null check (name = btrim(name) and length(name) between 1 and 64),
  -- whose values they were
  device_name text not null,
  created_by text not null,
  created_at timestamptz not null default now()
);
create unique index parameter_baselines_name
  on parameter_baselines (device_model_id, coalesce(customer_id, 0), lower(name));
create index parameter_baselines_customer on parameter_baselines (customer_id);

create table parameter_baseline_values (
  baseline_id integer not null references parameter_baselines on delete cascade,
  key text not null,
  value text not null,
  primary key (baseline_id, key)
);
