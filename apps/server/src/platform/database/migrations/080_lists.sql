-- What everybody keeps for themselves, such as the columns of a list.
create table user_preferences (
  user_id integer not null references users on delete cascade,
  key text not null,
  value jsonb not null check (octet_length(value::text) <= 8192),
  updated_at timestamptz not null default now(),
  primary key (user_id, key)
);

-- The logs by the beginning of a name and by any part of a thing's name.
create index action_logs_user_name on action_logs (lower(user_name) text_pattern_ops);
create index action_logs_object_name on action_logs using gin (object_name gin_trgm_ops);
create index login_logs_user_name on login_logs (lower(user_name) text_pattern_ops);

-- Unregistered devices by any part of what they said of themselves.
create index blacklist_entries_search on blacklist_entries using gin
  ((sn || ' ' || coalesce(mac, '') || ' ' || coalesce(vendor, '') || ' ' || coalesce(model, '')) gin_trgm_ops);
