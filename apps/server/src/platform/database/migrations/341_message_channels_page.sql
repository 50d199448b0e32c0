-- The key of message channels has a page.
update menus set url = '/manage/message/channels' where key = 'auth_message_channels' and url = '';
