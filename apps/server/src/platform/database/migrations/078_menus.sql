-- Menus and interfaces speak both languages; a Chinese name that is missing is filled in by the next sync.
alter table menus rename column name to name_en;
alter table interfaces rename column name to name_en;
alter table menus
  add column name_zh text not null default '',
  -- a permission key of the product: the console's screens ask for it by name
  add column built_in boolean not null default false;
alter table interfaces add column name_zh text not null default '';

create index menus_parent on menus (parent_key);
create index role_menus_menu on role_menus (menu_key);

-- A menu is removed only when it carries nothing, stands above nothing and nobody holds it.
alter table menu_interfaces
  drop constraint menu_interfaces_menu_key_fkey,
  add constraint menu_interfaces_menu_key_fkey foreign key (menu_key) references menus;
alter table role_menus
  drop constraint role_menus_menu_key_fkey,
  add constraint role_menus_menu_key_fkey foreign key (menu_key) references menus;

create function keep_built_in_menu() returns trigger language plpgsql as $$
begin
  raise exception 'a menu of the product is kept' using errcode = 'check_violation', constraint = 'menus_built_in_kept';
end $$;
create trigger menus_built_in_deleted before delete on menus
  for each row when (old.built_in) execute function keep_built_in_menu();
create trigger menus_built_in_changed before update of key on menus
  for each row when (old.built_in and new.key <> old.key) execute function keep_built_in_menu();

-- No menu stands above itself: those that move go one after the other, each seeing where the others went.
create function check_menu_ancestors() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(4213772078);
  if exists (
    with recursive above (key, parent_key) as (
      select key, parent_key from menus where key = new.parent_key and key <> new.key
      union
      select m.key, m.parent_key from menus m join above a on m.key = a.parent_key and m.key <> new.key
    )
    select from above where parent_key = new.key
  ) or new.parent_key = new.key then
    raise exception 'a menu cannot stand above itself' using errcode = 'check_violation', constraint = 'menus_own_ancestor';
  end if;
  return new;
end $$;
create trigger menus_own_ancestor before insert or update of parent_key on menus
  for each row when (new.parent_key is not null) execute function check_menu_ancestors();

-- A root account looking through somebody else's eyes, at most one a session. The row stays when it is over, until the
-- console has taken note: a change meant for nobody must not be carried out as root.
create table viewings (
  session_id uuid primary key references sessions on delete cascade,
  viewed_id integer references users on delete set null,
  viewed_name text not null,
  viewed_customer_id integer references customers on delete set null,
  since timestamptz not null default now(),
  until timestamptz not null,
  ended_at timestamptz
);
create index viewings_open on viewings (until) where ended_at is null;
create index viewings_viewed on viewings (viewed_id);
create index viewings_customer on viewings (viewed_customer_id);
