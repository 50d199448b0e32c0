-- Parameters of the installation that differ from their default.
create table system_parameters (
  key text primary key,
  value jsonb not null
);

-- Their history. Null is the default.
create table system_parameter_changes (
  id integer generated always as identity primary key,
  key text not null,
  at timestamptz not null default now(),
  user_name text not null,
  before jsonb,
  after jsonb,
  undoes integer references system_parameter_changes
);
create index system_parameter_changes_key on system_parameter_changes (key, id desc);
