-- Pushes to a browser end when a user or an administrator ends its session. They survive a session that expired, because
-- users on call are notified while they do not use the console.
alter table push_subscriptions add column session_id uuid references sessions on delete set null;
create index push_subscriptions_session on push_subscriptions (session_id) where session_id is not null;
update push_subscriptions p set session_id = (
  select s.id from sessions s where s.user_id = p.user_id and s.user_agent = p.user_agent
   order by s.created_at desc limit 1);
