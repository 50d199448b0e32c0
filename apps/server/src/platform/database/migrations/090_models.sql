-- The data model: what quantities and parameters there are, in groups, both in an order that people give them.
create table item_groups (
  id integer generated always as identity primary key,
  name_en text not null,
  name_zh text not null,
  position integer not null,
  created_at timestamptz not null default now()
);
create unique index item_groups_name_en on item_groups (lower(name_en));
create unique index item_groups_name_zh on item_groups (lower(name_zh));

create table data_items (
  id integer generated always as identity primary key,
  -- as devices call it
  key text not null,
  name_en text not null,
  name_zh text not null,
  group_id integer not null references item_groups,
  -- spec §3: integer 1, float 2, string 3, enumeration 4
  type smallint not null check (type between 1 and 4),
  range text not null,
  unit text not null,
  position integer not null,
  created_at timestamptz not null default now(),
  unique (id, type)
);
create unique index data_items_key on data_items (lower(key));
create index data_items_group on data_items (group_id, position);

alter table device_models
  -- of what the model says, counted from 1; 0 as long as nobody has described it
  add column version integer not null default 0,
  add column ssh_support boolean not null default false,
  add column web_support boolean not null default false,
  add column image_key text,
  add column icon_key text,
  add column changed_by text not null default '',
  add column changed_at timestamptz not null default now(),
  add constraint device_models_write_level unique (id, parameter_write_level);
create index device_models_parent on device_models (parent_id);
create index device_models_search on device_models using gin ((name || ' ' || vendor) gin_trgm_ops);

-- Nothing inherits from itself, however many change parents at once: they take turns.
create function keep_models_a_tree() returns trigger language plpgsql as $$
begin
  if new.parent_id is null then return new; end if;
  perform pg_advisory_xact_lock(4213772090);
  if exists (
    with recursive line (id) as (
      select new.parent_id
      union
      select m.parent_id from device_models m join line on line.id = m.id where m.parent_id is not null
    )
    select from line where id = new.id
  ) then
    raise exception 'a device model inherits from itself' using errcode = 'check_violation', constraint = 'device_models_tree';
  end if;
  return new;
end $$;
create trigger device_models_tree before insert or update of parent_id on device_models
  for each row execute function keep_models_a_tree();

-- What a model says itself; what it inherits is not repeated. The type is held with the reference: an item in use can
-- neither go nor become another kind of value.
create table device_model_items (
  device_model_id integer not null references device_models on delete cascade,
  kind text not null check (kind in ('config', 'parameter')),
  data_item_id integer not null,
  type smallint not null,
  -- the parent has it, this model has not
  removed boolean not null,
  -- null: as the data item says
  group_id integer references item_groups,
  range text,
  unit text,
  priority integer not null check (priority between 0 and 9999),
  read_level smallint not null check (read_level between 0 and 5),
  write_level smallint not null check (write_level between 0 and 5),
  batch boolean not null,
  primary key (device_model_id, kind, data_item_id),
  constraint device_model_items_item foreign key (data_item_id, type) references data_items (id, type)
);
create index device_model_items_by_item on device_model_items (data_item_id, type);
create index device_model_items_by_group on device_model_items (group_id);

create table device_model_controls (
  device_model_id integer not null,
  -- spec §9, once a model
  control_type smallint not null check (control_type between 1 and 11),
  removed boolean not null,
  name_en text not null,
  name_zh text not null,
  level smallint not null check (level between 0 and 5),
  -- the model's parameter write level, kept in step by the reference
  write_level smallint not null,
  param1_en text,
  param1_zh text,
  param2_en text,
  param2_zh text,
  reading text,
  precondition text check (precondition in ('noSession', 'maintenance')),
  primary key (device_model_id, control_type),
  constraint device_model_controls_model foreign key (device_model_id, write_level)
    references device_models (id, parameter_write_level) on update cascade on delete cascade,
  constraint device_model_controls_level check (removed or level > write_level),
  constraint device_model_controls_reading check (
    removed
    or (control_type = 9 and reading is not null and reading in ('restartCcu', 'refreshConfiguration'))
    or (control_type = 10 and reading is not null and reading in ('updatePlcFirmware', 'refreshParameters'))
    or (control_type not in (9, 10) and reading is null)
  )
);

-- What a model was at a time, with all it inherited, complete and never changed: what devices reported then is read by it.
create table device_model_versions (
  device_model_id integer not null references device_models on delete cascade,
  version integer not null,
  at timestamptz not null default now(),
  changed_by text not null,
  description jsonb not null,
  primary key (device_model_id, version)
);
create index device_model_versions_at on device_model_versions (device_model_id, at desc);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'a version is never changed' using errcode = 'check_violation', constraint = tg_name;
end $$;
create trigger device_model_versions_kept before update on device_model_versions
  for each row execute function refuse_change();

-- The names under which devices of a model report themselves.
create table device_model_aliases (
  id integer generated always as identity primary key,
  device_model_id integer not null references device_models on delete cascade,
  vendor text not null,
  model text not null,
  created_at timestamptz not null default now()
);
create unique index device_model_aliases_name on device_model_aliases (lower(vendor), lower(model));
create index device_model_aliases_model on device_model_aliases (device_model_id);

-- What the product brought along and laid down once: what people changed or deleted of it since is theirs.
create table shipped_definitions (
  key text primary key,
  shipped_at timestamptz not null default now()
);
