-- What people chose for themselves. Until they choose, the browser decides: `locale` alone is what they are written in.
alter table users
  add column locale_chosen boolean not null default false,
  add column theme text check (theme in ('system', 'light', 'dark'));

alter table sessions
  -- names a session in lists and calls; opens nothing
  add column number integer generated always as identity unique,
  -- the page of the console at the last move of the session's end
  add column page text check (length(page) <= 200),
  -- why somebody ended it, and what they said besides
  add column end_cause text check (end_cause in ('maintenance', 'security', 'rights', 'other', 'owner', 'password')),
  add column end_note text check (length(end_note) <= 200);
create index sessions_open_since on sessions (created_at, number) where ended_at is null;
create index sessions_user on sessions (user_id);

-- The session of a removed account stays for a while, so that its browser is told what happened.
alter table sessions
  alter column user_id drop not null,
  drop constraint sessions_user_id_fkey,
  add constraint sessions_user_id_fkey foreign key (user_id) references users on delete set null;

alter table login_logs
  add column end_cause text,
  add column end_note text;

-- Who published a version; empty for the one that comes with the product.
alter table privacy_policies add column published_by text not null default '';

-- A version that comes without a number gets the next one: those that publish at once go one after the other.
create function number_policy() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(4213772061);
  if new.version is null then
    new.version := coalesce((select max(version) from privacy_policies), 0) + 1;
  end if;
  return new;
end $$;
create trigger privacy_policies_number before insert on privacy_policies
  for each row execute function number_policy();

-- What people accepted is never rewritten.
create function keep_policies() returns trigger language plpgsql as $$
begin
  raise exception 'a published privacy policy stays as it is'
    using errcode = 'check_violation', constraint = 'privacy_policies_kept';
end $$;
create trigger privacy_policies_kept before update or delete on privacy_policies
  for each row execute function keep_policies();

create table privacy_drafts (
  -- there is one draft: the next version
  id smallint primary key default 1 check (id = 1),
  content_en text not null,
  content_zh text not null,
  updated_at timestamptz not null default now(),
  updated_by text not null
);

create index privacy_acceptances_newest on privacy_acceptances (accepted_at, user_id, version);
create index privacy_acceptances_version on privacy_acceptances (version, accepted_at, user_id);
