-- Webhooks of applications. Secrets are encrypted; for a day after a change, the previous one signs, too.
create table application_webhooks (
  id integer generated always as identity primary key,
  application_id integer not null references applications on delete cascade,
  url text not null,
  description text not null default '',
  events text[] not null,
  enabled boolean not null default true,
  -- the first failed attempt since the last success
  failing_since timestamptz,
  -- while the receiver is down: when the next attempt may follow
  resting_until timestamptz,
  -- set when it failed for so long that the server disabled it
  given_up_at timestamptz,
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz,
  created_at timestamptz not null default now()
);
create index application_webhooks_application on application_webhooks (application_id);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id integer not null references application_webhooks on delete cascade,
  -- the webhook-id: the same in each attempt and replay
  message_id uuid not null default gen_random_uuid(),
  -- null: a test
  type text,
  customer_id integer,
  site_id integer,
  -- each attempt sends the same bytes
  content text not null,
  created_at timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'dropped')),
  -- while a process sends it: when another one may try; null when it is not waiting
  next_attempt_at timestamptz,
  leased boolean not null default false,
  -- all attempts, and those since it was created or replayed
  attempts integer not null default 0,
  tries integer not null default 0,
  first_try_at timestamptz,
  sent_at timestamptz,
  -- the latest attempts: when, how long, and what the server answered
  log jsonb not null default '[]'
) with (fillfactor = 80);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at, id)
  where next_attempt_at is not null;
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_age on webhook_deliveries (created_at);
