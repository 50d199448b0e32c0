-- Webhooks of customers. Empty lists are every type or site. The secrets are encrypted; for a day after a change, the
-- previous one signs, too.
create table webhooks (
  id integer generated always as identity primary key,
  customer_id integer not null references customers on delete cascade,
  name text not null,
  url text not null,
  format text not null,
  types text[] not null default '{}',
  site_ids integer[] not null default '{}',
  locale text not null check (locale in ('en-US', 'zh-CN')),
  enabled boolean not null default true,
  secret text,
  previous_secret text,
  previous_secret_until timestamptz,
  created_at timestamptz not null default now()
);
create index webhooks_customer on webhooks (customer_id);

-- Every message to a receiver outside the console. The state of mails is that of `outgoing_mails`.
create table message_sends (
  id bigint generated always as identity primary key,
  channel text not null check (channel in ('email', 'webhook', 'push')),
  -- the webhook-id: the same in each attempt
  message_id uuid not null default gen_random_uuid(),
  customer_id integer not null references customers on delete cascade,
  user_id integer references users on delete set null,
  webhook_id integer references webhooks on delete set null,
  subscription_id integer references push_subscriptions on delete set null,
  mail_id bigint references outgoing_mails on delete set null,
  receiver text not null,
  -- null: a test
  type text,
  incident_id integer,
  -- the title and text, set at the first attempt so that each attempt sends the same bytes; JSON
  content text,
  created_at timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'dropped')),
  -- while a node sends it: when another one may try; null when it is not waiting
  next_attempt_at timestamptz,
  leased boolean not null default false,
  -- all of them, and those since it was sent or sent again
  attempts integer not null default 0,
  tries integer not null default 0,
  sent_at timestamptz,
  -- the latest attempts: when, and what the server answered
  log jsonb not null default '[]'
) with (fillfactor = 80);
create index message_sends_due on message_sends (channel, next_attempt_at) where next_attempt_at is not null;
create index message_sends_age on message_sends (created_at);
create index message_sends_customer on message_sends (customer_id, id desc);
create index message_sends_user on message_sends (user_id) where user_id is not null;
create index message_sends_webhook on message_sends (webhook_id, id desc) where webhook_id is not null;
create index message_sends_subscription on message_sends (subscription_id) where subscription_id is not null;
create index message_sends_mail on message_sends (mail_id) where mail_id is not null;

-- Texts that administrators changed; the others are those of the product.
create table message_templates (
  type text not null,
  channel text not null check (channel in ('email', 'webhook', 'push')),
  locale text not null check (locale in ('en-US', 'zh-CN')),
  subject text not null,
  body text not null,
  updated_at timestamptz not null default now(),
  primary key (type, channel, locale)
);

-- The mail that a receiver can unsubscribe from with one click (RFC 8058).
alter table outgoing_mails add column unsubscribe_url text check (unsubscribe_url !~ '[[:cntrl:][:space:]<>]');
