-- Issues: reported problems with their timeline, watchers, links and evidence. They belong to the customer and the site
-- where they were reported, and name their device as it was, so that they outlive it.
create table issue_numbers (
  customer_id integer primary key references customers on delete cascade,
  last integer not null
);

create table issues (
  id integer generated always as identity primary key,
  customer_id integer not null references customers on delete cascade,
  -- no reference, because an issue must not become visible to more users when its site is removed
  site_id integer,
  -- counts the issues of the customer
  number integer not null,
  title text not null,
  body jsonb,
  type smallint not null check (type between 1 and 5),
  priority smallint not null check (priority between 0 and 2),
  status text not null default 'open' check (status in ('open', 'pending', 'closed', 'reopen')),
  labels text[] not null default '{}',
  occurred_at timestamptz not null,
  created_at timestamptz not null default now(),
  created_by integer references users on delete set null,
  created_by_name text not null,
  updated_at timestamptz not null default now(),
  assignee_id integer references users on delete set null,
  due_at timestamptz,
  -- the last reminder, and when the next one is due
  reminded text check (reminded in ('soon', 'overdue')),
  remind_at timestamptz,
  customer_name text not null,
  site_name text,
  device_id integer references devices on delete set null,
  device_name text,
  device_sn text,
  device_model text,
  soft_version text,
  alarm_id bigint references alarms on delete set null,
  alarm_code text,
  execution_id uuid references executions on delete set null,
  -- see `issueTimes` of the domain
  response_ms bigint,
  resolution_ms bigint,
  closed_at timestamptz,
  cause text,
  cause_text text not null default '',
  remedy text,
  remedy_text text not null default '',
  -- the issue that this one is a duplicate of; its status before, which unmerging restores
  merged_into integer references issues on delete set null,
  status_before text check (status_before in ('open', 'pending', 'closed', 'reopen')),
  unique (customer_id, number),
  check (merged_into <> id),
  check ((merged_into is null) = (status_before is null)),
  check ((status = 'closed') = (closed_at is not null))
);
create index issues_created on issues (created_at desc, id desc);
create index issues_customer on issues (customer_id, created_at desc, id desc);
create index issues_site on issues (site_id, created_at desc, id desc);
create index issues_open on issues (priority desc, created_at desc, id desc) where status <> 'closed';
create index issues_status on issues (status, updated_at desc, id desc);
create index issues_updated on issues (updated_at desc, id desc);
create index issues_due on issues (due_at, id) where due_at is not null;
create index issues_reminders on issues (remind_at) where remind_at is not null;
create index issues_device on issues (device_id, created_at desc) where device_id is not null;
create index issues_alarm on issues (alarm_id) where alarm_id is not null;
create index issues_execution on issues (execution_id) where execution_id is not null;
create index issues_assignee on issues (assignee_id, created_at desc) where assignee_id is not null;
create index issues_creator on issues (created_by) where created_by is not null;
create index issues_merged on issues (merged_into) where merged_into is not null;
create index issues_code on issues (alarm_code, closed_at desc) where alarm_code is not null and status = 'closed';
create index issues_labels on issues using gin (labels);
create index issues_search on issues using gin (
  (title || ' ' || coalesce(device_name, '') || ' ' || coalesce(device_sn, '') || ' ' || coalesce(alarm_code, ''))
  gin_trgm_ops);

-- The timeline: comments of people, and what happened to the issue, its alarm and its device.
create table issue_entries (
  id bigint generated always as identity primary key,
  issue_id integer not null references issues on delete cascade,
  at timestamptz not null default clock_timestamp(),
  -- null for a comment
  event text,
  user_id integer references users on delete set null,
  user_name text not null default '',
  -- not for people outside
  internal boolean not null default false,
  body jsonb,
  -- the comment that this one answers
  quotes bigint references issue_entries on delete set null,
  edited_at timestamptz,
  -- the number of former texts
  edits integer not null default 0,
  data jsonb,
  check ((event is null) = (body is not null))
);
create index issue_entries_issue on issue_entries (issue_id, id);
create index issue_entries_user on issue_entries (user_id) where user_id is not null;
create index issue_entries_quotes on issue_entries (quotes) where quotes is not null;

-- Former texts of comments.
create table issue_comment_versions (
  entry_id bigint not null references issue_entries on delete cascade,
  version integer not null,
  body jsonb not null,
  written_at timestamptz not null,
  primary key (entry_id, version)
);

create table issue_watchers (
  issue_id integer not null references issues on delete cascade,
  user_id integer not null references users on delete cascade,
  primary key (issue_id, user_id)
);
create index issue_watchers_user on issue_watchers (user_id);

-- `duplicate`: of the other one. `cause`: the other one caused it.
create table issue_links (
  id integer generated always as identity primary key,
  issue_id integer not null references issues on delete cascade,
  other_id integer not null references issues on delete cascade,
  kind text not null check (kind in ('duplicate', 'cause')),
  unique (issue_id, other_id, kind),
  check (issue_id <> other_id)
);
create index issue_links_other on issue_links (other_id);

-- Filters that a user has named.
create table issue_views (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  name text not null,
  filters jsonb not null
);
create unique index issue_views_name on issue_views (user_id, lower(name));

-- What happens to the alarm, the command or the device of an issue appears in its timeline, whichever module does it, in
-- the same transaction.
create function note_issue_alarm() returns trigger language plpgsql as $$
begin
  insert into issue_entries (issue_id, event, data)
  select i.id, case when n.cleared_at is null then 'alarmRaised' else 'alarmCleared' end,
         jsonb_build_object('alarmId', n.id, 'code', n.code)
    from new_rows n join old_rows o on o.id = n.id join issues i on i.alarm_id = n.id
   where (n.cleared_at is null) <> (o.cleared_at is null)
   order by i.id;
  return null;
end $$;
create trigger alarms_issue after update on alarms
  referencing old table as old_rows new table as new_rows for each statement execute function note_issue_alarm();

create function note_issue_command() returns trigger language plpgsql as $$
begin
  insert into issue_entries (issue_id, event, data)
  select i.id, 'commandEnded', jsonb_build_object('executionId', n.id, 'kind', c.kind, 'result', n.result)
    from new_rows n join old_rows o on o.id = n.id join commands c on c.id = n.command_id
    join issues i on i.device_id = n.device_id and i.status <> 'closed'
   where n.ended_at is not null and o.ended_at is null
   order by i.id;
  return null;
end $$;
create trigger executions_issue after update on executions
  referencing old table as old_rows new table as new_rows for each statement execute function note_issue_command();

create function note_issue_firmware() returns trigger language plpgsql as $$
begin
  insert into issue_entries (issue_id, event, data)
  select i.id, 'firmwareChanged', jsonb_build_object('before', old.soft_version, 'after', new.soft_version)
    from issues i where i.device_id = new.id and i.status <> 'closed' order by i.id;
  return null;
end $$;
create trigger devices_issue after update on devices
  for each row when (old.soft_version is distinct from new.soft_version) execute function note_issue_firmware();
