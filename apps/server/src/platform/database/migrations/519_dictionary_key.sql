-- The page of dictionaries is for the administrators of the installation. New installations have its key in the first role,
-- as `first-roles.ts` says. The first role of existing ones gets it, too, unless an administrator withdrew the key or what
-- belongs to the system. Roles that users made do not change. Before the first start there are no roles.
insert into menus (key, parent_key, name_en, name_zh, url, sort)
select v.key, v.parent_key, v.name_en, v.name_zh, v.url, v.sort
  from (values
    ('auth_system', null, 'System', '系统', '/manage/system', 1),
    ('auth_system_dictionary', 'auth_system', 'Dictionaries', '字典', '/manage/system/dictionary', 2)
  ) v (key, parent_key, name_en, name_zh, url, sort)
 where exists (select from roles)
on conflict (key) do nothing;

insert into role_menus (role_id, menu_key)
select r.id, 'auth_system_dictionary'
  from roles r
 where r.name = 'Platform administrator' and r.customer_access = 0
   and not exists (
     select from (values ('auth_system'), ('auth_menu'), ('auth_privacy')) v (key)
      where not exists (select from role_menus h where h.role_id = r.id and h.menu_key = v.key))
   and not exists (
     select from action_logs l
      where l.object_type = 'role' and l.object_id = r.id::text
        and (l.operation = 'new'
          or l.operation = 'edit' and l.before -> 'keys' ? 'auth_system_dictionary'
             and not l.after -> 'keys' ? 'auth_system_dictionary'))
on conflict do nothing;
