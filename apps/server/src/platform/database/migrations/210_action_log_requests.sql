-- The action log shows the entries of one transaction as one: the latest of them is found by time and ID.
create index action_logs_request on action_logs (at, id);
drop index action_logs_at;
