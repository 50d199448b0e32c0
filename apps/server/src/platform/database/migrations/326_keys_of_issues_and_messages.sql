-- Issues and messages are for everybody, as `first-roles.ts` says. Roles that existed before get their keys, unless an
-- administrator withdrew keys of the area from the role. A role without the home page is not for people.
insert into menus (key, parent_key, name_en, name_zh, url, sort)
select v.key, v.parent_key, v.name_en, v.name_zh, v.url, v.sort
  from (values
    ('auth_issue', null, 'Issues', '问题', '/manage/issue', 1),
    ('auth_issue_list', 'auth_issue', 'Issue list', '问题列表', '/manage/issue/list', 2),
    ('auth_issue_add', 'auth_issue', 'Report issue', '上报问题', '/manage/issue/add', 3),
    ('auth_issue_edit', 'auth_issue', 'Work on issues', '处理问题', '/manage/issue/update/:id', 4),
    ('auth_issue_detail', 'auth_issue', 'Issue details', '问题详情', '/manage/issue/detail/:id', 5),
    ('auth_message', null, 'Messages', '消息', '/manage/message', 6),
    ('auth_message_list', 'auth_message', 'Message list', '消息列表', '/manage/message/list', 7),
    ('auth_message_setting', 'auth_message', 'Message settings', '消息设置', '/manage/message/setting', 8),
    ('auth_message_on_call', 'auth_message', 'On-call schedule', '值班表', '', 9)
  ) v (key, parent_key, name_en, name_zh, url, sort)
 where exists (select from roles)
on conflict (key) do nothing;

with areas (area, key, needs) as (values
  ('auth_issue', 'auth_issue', 'auth_home'),
  ('auth_issue', 'auth_issue_list', 'auth_home'),
  ('auth_issue', 'auth_issue_add', 'auth_home'),
  ('auth_issue', 'auth_issue_detail', 'auth_home'),
  -- those who maintain devices
  ('auth_issue', 'auth_issue_edit', 'auth_device_edit'),
  ('auth_message', 'auth_message', 'auth_home'),
  ('auth_message', 'auth_message_list', 'auth_home'),
  ('auth_message', 'auth_message_setting', 'auth_home'),
  -- those who administer users
  ('auth_on_call', 'auth_message', 'auth_user_edit'),
  ('auth_on_call', 'auth_message_on_call', 'auth_user_edit')
)
insert into role_menus (role_id, menu_key)
select distinct h.role_id, a.key
  from areas a
  join role_menus h on h.menu_key = a.needs
 where exists (select from role_menus home where home.role_id = h.role_id and home.menu_key = 'auth_home')
   and not exists (
     select from role_menus own
      where own.role_id = h.role_id and a.area <> 'auth_on_call' and starts_with(own.menu_key, a.area))
   and not exists (
     select from action_logs l
      where l.object_type = 'role' and l.object_id = h.role_id::text and l.operation = 'edit'
        and l.before -> 'keys' ? case a.area when 'auth_on_call' then 'auth_message' else a.area end
        and not l.after -> 'keys' ? case a.area when 'auth_on_call' then 'auth_message' else a.area end)
on conflict do nothing;
