-- Mails on their way out. A mail is written in the transaction of what caused it, and sent after its commit. Without a
-- mail server it is kept here. What could smuggle a header into a mail cannot be stored.
create table outgoing_mails (
  id bigint generated always as identity primary key,
  -- the Message-ID: the same each time a mail is sent, so that a receiver can tell a repetition
  message_id uuid not null default gen_random_uuid(),
  receiver text not null check (receiver ~ '^[!-~]+@[!-~]+$' and receiver !~ '[,;<>()"\[\]:]'),
  locale text not null check (locale in ('en-US', 'zh-CN')),
  subject text not null check (subject <> '' and subject !~ '[[:cntrl:]]'),
  -- both null once purged
  body_text text,
  body_html text,
  created_at timestamptz not null default now(),
  -- the text carries a secret link, which is of no use after this time, and the text is purged
  secret_until timestamptz,
  attempts integer not null default 0,
  -- while a node sends it: when another one may try; null when it was sent or given up
  next_attempt_at timestamptz default now(),
  sent_at timestamptz,
  last_error text,
  state text not null generated always as (
    case when sent_at is not null then 'sent'
         when body_text is null then 'expired'
         when next_attempt_at is not null then 'waiting'
         else 'failed' end) stored
);
create index outgoing_mails_due on outgoing_mails (next_attempt_at) where next_attempt_at is not null;
create index outgoing_mails_secret on outgoing_mails (secret_until) where secret_until is not null and body_text is not null;
create index outgoing_mails_newest on outgoing_mails (created_at, id);
create index outgoing_mails_state on outgoing_mails (state, created_at, id);
create index outgoing_mails_receiver on outgoing_mails using gin (receiver gin_trgm_ops);

-- Wakes every node that delivers, once the transaction is committed.
create function announce_mail() returns trigger language plpgsql as $$
begin
  perform pg_notify('outgoing_mails', '');
  return null;
end $$;
create trigger outgoing_mails_announced after insert on outgoing_mails
  for each statement execute function announce_mail();

-- Who knows the password: its owner alone; somebody else, too, who gave it, so that it must be changed before anything
-- else; nobody, because the invitation to choose one was not accepted yet.
alter table users add column password_state text not null default 'own'
  check (password_state in ('own', 'given', 'invited'));

-- The secret links of an account, at most one of each kind: a newer one takes the place of the older. The one who
-- removes the row has used the link, so that of any number at once one succeeds.
create table account_links (
  user_id integer not null references users on delete cascade,
  purpose text not null check (purpose in ('resetPassword', 'invitation', 'changeEmail')),
  -- SHA-256
  token_hash bytea not null unique,
  -- where it was sent; for changeEmail the address that the account is to have
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (user_id, purpose)
);

-- Whatever else changes an account's password or address, or disables it, ends the links made before.
create function end_account_links() returns trigger language plpgsql as $$
begin
  delete from account_links where user_id = new.id;
  return null;
end $$;
create trigger users_links_end after update of password_hash, email, enabled on users
  for each row when (
    new.password_hash <> old.password_hash or new.email is distinct from old.email or (old.enabled and not new.enabled))
  execute function end_account_links();
