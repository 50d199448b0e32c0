-- When each user last opened the notification bell.
create table bell_openings (
  user_id integer primary key references users on delete cascade,
  opened_at timestamptz not null
);

-- The newest commands of a user.
create index commands_requester on commands (requested_by, id desc) where requested_by is not null;
