-- Adding or editing an entry of a timeline, also by a trigger, wakes the process that announces it to consoles.
create function notify_issue_entries() returns trigger language plpgsql as $$
begin
  perform pg_notify('issue_entries', issue_id::text) from (select distinct issue_id from changed) issues;
  return null;
end $$;
create trigger issue_entries_added after insert on issue_entries
  referencing new table as changed for each statement execute function notify_issue_entries();
create trigger issue_entries_edited after update on issue_entries
  referencing new table as changed for each statement execute function notify_issue_entries();
