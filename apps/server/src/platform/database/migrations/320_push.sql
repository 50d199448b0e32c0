-- Browsers that users registered for pushes. One browser belongs to one user: who signs in there and registers it takes
-- it over. `keys` is the public key and the secret of the browser, encrypted.
create table push_subscriptions (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  endpoint text not null unique check (length(endpoint) <= 2000),
  keys text not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  -- when the push service last accepted a push
  used_at timestamptz
);
create index push_subscriptions_user on push_subscriptions (user_id);

-- Users who turned a type off completely do not get pushes either.
alter table message_settings add column push boolean not null default false;
alter table role_message_settings add column push boolean not null default false;
update message_settings set push = in_app;
update role_message_settings set push = in_app;
