-- Shares of terminals: a guest joins one terminal of a link. The recording stands for the terminal.
alter table shares drop constraint shares_kind_check, drop constraint shares_check,
  add column terminal_id integer references link_recordings on delete cascade,
  -- the guest may type
  add column interactive boolean not null default false,
  add check (kind in ('download', 'upload', 'issue', 'terminal')),
  add check (num_nonnulls(attachment_id, folder_id, issue_id, terminal_id) = 1),
  add check ((kind = 'terminal') = (terminal_id is not null)),
  add check (kind = 'terminal' or not interactive);
create index shares_terminal on shares (terminal_id) where terminal_id is not null;
