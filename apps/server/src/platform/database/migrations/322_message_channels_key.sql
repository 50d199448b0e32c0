-- Webhooks, the send log and templates are for administrators. Existing roles that administer users get the key. Before
-- the first start there are no roles.
insert into menus (key, parent_key, name_en, name_zh, url, sort)
select v.key, v.parent_key, v.name_en, v.name_zh, v.url, v.sort
  from (values
    ('auth_message', null, 'Messages', '消息', '/manage/message', 6),
    ('auth_message_channels', 'auth_message', 'Message channels', '消息渠道', '', 10)
  ) v (key, parent_key, name_en, name_zh, url, sort)
 where exists (select from roles)
on conflict (key) do nothing;

insert into role_menus (role_id, menu_key)
select role_id, 'auth_message_channels' from role_menus where menu_key = 'auth_user_edit'
on conflict do nothing;
