-- Shares of issues: outsiders read an issue, and can comment on it if the share allows it.
alter table shares drop constraint shares_kind_check, drop constraint shares_check, drop constraint shares_check1,
  add column issue_id integer references issues on delete cascade,
  -- visitors may comment
  add column comments boolean not null default false,
  add check (kind in ('download', 'upload', 'issue')),
  add check (num_nonnulls(attachment_id, folder_id, issue_id) = 1),
  add check (kind <> 'upload' or folder_id is not null),
  add check ((kind = 'issue') = (issue_id is not null)),
  add check (kind = 'issue' or not comments);
create index shares_issue on shares (issue_id) where issue_id is not null;

-- A comment that a visitor sends twice is stored once.
create unique index issue_entries_request on issue_entries (issue_id, (data ->> 'requestKey'))
  where data ->> 'requestKey' is not null;
