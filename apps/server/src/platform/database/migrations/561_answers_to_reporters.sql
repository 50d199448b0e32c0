-- New answers are for one reporter. Those until now were for all who had reported the issue, and stay so.
update issue_entries set data = coalesce(data, '{}') || '{"toReports": true}'
 where event is null and not internal and user_id is not null;
