-- Files that were uploaded into the form of a new issue. They are not listed, and deleted after a day unless the issue is
-- created.
alter table attachments add column draft boolean not null default false;
create index attachments_drafts on attachments (created_at) where draft;
