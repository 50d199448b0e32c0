-- The key of an issue, such as HVC-5, begins with the prefix of its customer. A new customer gets a prefix from its name
-- or its code, as `proposedIssuePrefix` does; the platform vendor may change it.
create function propose_issue_prefix(name text, code text) returns text language plpgsql stable as $$
declare
  source text;
  words text[];
  base text := 'CU';
  proposed text;
  attempt integer := 1;
begin
  foreach source in array array[name, code] loop
    select array_agg(word order by place) into words
      from regexp_split_to_table(
             upper(regexp_replace(normalize(left(source, 100), nfd), '[\u0300-\u036f]', '', 'g')), '[^A-Z0-9]+')
           with ordinality as split (word, place)
     where word ~ '^[A-Z]';
    if cardinality(words) > 1 then
      select left(string_agg(left(word, 1), '' order by place), 4) into base
        from unnest(words) with ordinality as u (word, place);
      exit;
    elsif length(words[1]) > 1 then
      base := left(words[1], 3);
      exit;
    end if;
  end loop;
  proposed := base;
  while exists (select from customers c where c.issue_prefix = proposed) loop
    attempt := attempt + 1;
    proposed := left(base, 4 - length(upper(to_hex(attempt)))) || upper(to_hex(attempt));
  end loop;
  return proposed;
end $$;

alter table customers add column issue_prefix text;
create unique index customers_issue_prefix on customers (issue_prefix);

do $$
declare
  one record;
begin
  for one in select id, name, code from customers order by id loop
    update customers set issue_prefix = propose_issue_prefix(one.name, one.code) where id = one.id;
  end loop;
end $$;
alter table customers
  alter column issue_prefix set not null,
  add constraint customers_issue_prefix_format check (issue_prefix ~ '^[A-Z][A-Z0-9]{1,3}$');

create function set_issue_prefix() returns trigger language plpgsql as $$
begin
  if new.issue_prefix is null then new.issue_prefix := propose_issue_prefix(new.name, new.code); end if;
  return new;
end $$;
create trigger customers_issue_prefix_proposed before insert on customers
  for each row execute function set_issue_prefix();

-- The key of an issue as people read it.
create function issue_key(customer integer, number integer) returns text language sql stable parallel safe
  return (select c.issue_prefix from customers c where c.id = customer) || '-' || number;

-- A search for #5 finds the issues of all customers with the number.
create index issues_number on issues (number);
