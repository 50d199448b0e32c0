alter table users
  add column contact text not null default '',
  -- how many sites may be assigned; null for any number
  add column max_sites integer check (max_sites >= 0);

create index users_created on users (created_at, id);
create index users_search on users using gin ((user_name || ' ' || nick_name || ' ' || coalesce(email, '')) gin_trgm_ops);

-- The limit holds for any number of assignments at once: each takes the user's row before it counts.
create function check_max_sites() returns trigger language plpgsql as $$
declare
  assigned record;
begin
  for assigned in select distinct user_id from new_sites loop
    perform 1 from users where id = assigned.user_id for update;
    if (select count(*) from user_sites where user_id = assigned.user_id)
       > (select max_sites from users where id = assigned.user_id) then
      raise exception 'more sites than the limit of the user'
        using errcode = 'check_violation', constraint = 'user_sites_max';
    end if;
  end loop;
  return null;
end $$;
create trigger user_sites_max after insert on user_sites
  referencing new table as new_sites for each statement execute function check_max_sites();

create function check_lowered_max_sites() returns trigger language plpgsql as $$
begin
  if (select count(*) from user_sites where user_id = new.id) > new.max_sites then
    raise exception 'more sites than the limit of the user'
      using errcode = 'check_violation', constraint = 'user_sites_max';
  end if;
  return null;
end $$;
create trigger users_max_sites after update of max_sites on users
  for each row execute function check_lowered_max_sites();

-- One enabled root account at least: those that would take one away go one after the other.
create function keep_a_root() returns trigger language plpgsql as $$
begin
  if not (old.root and old.enabled) then return null; end if;
  if tg_op = 'UPDATE' and new.root and new.enabled then return null; end if;
  perform pg_advisory_xact_lock(4213772060);
  if not exists (select from users where root and enabled) then
    raise exception 'the last enabled root account' using errcode = 'check_violation', constraint = 'users_last_root';
  end if;
  return null;
end $$;
create trigger users_last_root after update of root, enabled or delete on users
  for each row execute function keep_a_root();
