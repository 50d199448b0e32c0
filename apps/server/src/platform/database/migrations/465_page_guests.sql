-- Shares of the web pages of a link: a guest sees them in their own browser.
alter table shares drop constraint shares_kind_check, drop constraint shares_check, drop constraint shares_check5,
  -- the link whose pages are shared
  add column pages_of integer references links on delete cascade,
  -- the guest uses the device cookies of the user
  add column host_session boolean not null default false,
  add check (kind in ('download', 'upload', 'issue', 'terminal', 'page')),
  add check (num_nonnulls(attachment_id, folder_id, issue_id, terminal_id, pages_of) = 1),
  add check ((kind = 'page') = (pages_of is not null)),
  add check (kind in ('terminal', 'page') or not interactive),
  add check (kind = 'page' or not host_session);
create index shares_pages_of on shares (pages_of) where pages_of is not null;
-- The guest who did something; null: the user of the link.
alter table link_activity add column guest text;
