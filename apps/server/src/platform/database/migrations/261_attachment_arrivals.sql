-- Uploads that become files: where each is moved to, and the file it became. With this a registration that was killed or
-- whose answer was lost is repeated without losing or doubling the file. Kept for a day.
create table attachment_arrivals (
  upload_key text primary key,
  -- of the upload: another upload with the same key is another file
  etag text not null,
  object_key text not null unique,
  attachment_id integer unique references attachments on delete cascade,
  created_at timestamptz not null default now()
);
create index attachment_arrivals_age on attachment_arrivals (created_at);
