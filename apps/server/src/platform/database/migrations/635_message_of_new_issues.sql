-- New issues and reports have a message type of their own. Until now their messages were those of answers, so the setting for
-- answers applies to both until the user or the role is edited.
insert into message_settings (user_id, type, in_app, email, push, delayed)
select user_id, 'issueCreated', in_app, email, push, delayed from message_settings where type = 'issueAnswered'
on conflict do nothing;

insert into role_message_settings (role_id, type, in_app, email, push, delayed)
select role_id, 'issueCreated', in_app, email, push, delayed from role_message_settings where type = 'issueAnswered'
on conflict do nothing;
