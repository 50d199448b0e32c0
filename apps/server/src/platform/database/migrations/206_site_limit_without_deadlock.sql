-- An assigned site holds a key-share lock on its user (foreign key). `for update` conflicts with that lock, so two
-- assignments at once waited for each other; `for no key update` conflicts only with itself.
create or replace function check_max_sites() returns trigger language plpgsql as $$
declare
  assigned record;
begin
  for assigned in select distinct user_id from new_sites order by user_id loop
    perform 1 from users where id = assigned.user_id for no key update;
    if (select count(*) from user_sites where user_id = assigned.user_id)
       > (select max_sites from users where id = assigned.user_id) then
      raise exception 'more sites than the limit of the user'
        using errcode = 'check_violation', constraint = 'user_sites_max';
    end if;
  end loop;
  return null;
end $$;
