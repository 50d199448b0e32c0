-- Shares: links by which visitors without an account download files, or upload files into a folder.
create table shares (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('download', 'upload')),
  -- the secret of the link, and the access code: both are shown again to their creator
  token text not null unique,
  code text,
  attachment_id integer references attachments on delete cascade,
  folder_id integer references folders on delete cascade,
  -- the customer of the file or folder
  customer_id integer references customers on delete cascade,
  created_by integer not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  recipient text not null default '',
  note text not null default '',
  -- downloads, or uploaded files; they are counted when they start
  uses integer not null default 0,
  use_limit integer,
  -- announced sizes of uploaded files
  bytes bigint not null default 0,
  byte_limit bigint,
  wrong_codes smallint not null default 0,
  locked_at timestamptz,
  destroyed_at timestamptz,
  last_used_at timestamptz,
  -- when the creator was last notified of uploaded files
  notified_at timestamptz,
  check (num_nonnulls(attachment_id, folder_id) = 1),
  check (kind = 'download' or folder_id is not null)
);
create index shares_creator on shares (created_by, id);
create index shares_customer on shares (customer_id, id);
create index shares_attachment on shares (attachment_id) where attachment_id is not null;
create index shares_folder on shares (folder_id) where folder_id is not null;

-- The log of each share: downloads and uploaded files.
create table share_uses (
  id bigint generated always as identity primary key,
  share_id integer not null references shares on delete cascade,
  kind text not null check (kind in ('file', 'archive', 'preview', 'upload')),
  -- no reference, because the log outlives the file
  attachment_id integer,
  name text not null,
  size bigint not null,
  moved bigint not null default 0,
  -- a hash of the visitor's cookie, or of their address and browser
  visitor text not null,
  address text not null,
  at timestamptz not null default now(),
  -- the last progress: a use without an end that makes none was broken off
  active_at timestamptz not null default now(),
  ended_at timestamptz
);
create index share_uses_share on share_uses (share_id, id);
create index share_uses_visitor on share_uses (share_id, visitor, attachment_id, id);

-- Uploads of visitors that are not complete. Their parts are objects of their own, so that a part that was acknowledged
-- is never lost.
create table share_uploads (
  id uuid primary key,
  share_id integer not null references shares on delete cascade,
  use_id bigint not null references share_uses on delete cascade,
  name text not null,
  -- who the visitor says they are
  uploader text not null,
  size bigint not null,
  received bigint not null default 0,
  active_at timestamptz not null default now(),
  done boolean not null default false
);
create index share_uploads_share on share_uploads (share_id);
create index share_uploads_use on share_uploads (use_id);
create index share_uploads_active on share_uploads (active_at);
