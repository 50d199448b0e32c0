-- Folders and stored files. A level is a number from 0 (highest) to 5; those of a file are never lower than those of its
-- folder, so that one comparison decides about a row.
create table folders (
  id integer generated always as identity primary key,
  parent_id integer references folders,
  -- null: of the platform, for the users of all customers
  customer_id integer references customers on delete cascade,
  name text not null,
  -- what names in a folder must differ in; like `nameKey` of the domain
  name_key text not null,
  description text not null default '',
  read_level smallint not null check (read_level between 0 and 5),
  write_level smallint not null check (write_level between 0 and 5),
  download_level smallint not null check (download_level between 0 and 5),
  created_by integer references users on delete set null,
  created_by_name text not null,
  created_at timestamptz not null default now(),
  -- when it was moved to the trash; everything in it has the same time
  deleted_at timestamptz,
  deleted_by_name text,
  check (parent_id <> id)
);
create unique index folders_name on folders (customer_id, parent_id, name_key) nulls not distinct
  where deleted_at is null;
create index folders_parent on folders (parent_id);
create index folders_creator on folders (created_by);
create index folders_trash on folders (deleted_at) where deleted_at is not null;

create table attachments (
  id integer generated always as identity primary key,
  -- null: outside of any folder
  folder_id integer references folders,
  customer_id integer references customers on delete cascade,
  -- where a device log was made: users with assigned sites see only those of their sites. No reference, because a file
  -- must not become visible to more users when its site is removed
  site_id integer,
  name text not null,
  name_key text not null,
  description text not null default '',
  size bigint not null check (size >= 0),
  media_type text not null,
  type text not null check (type in ('normal', 'firmware', 'log', 'issue')),
  bucket text not null check (bucket in ('main', 'firmware')),
  object_key text not null,
  etag text not null,
  read_level smallint not null check (read_level between 0 and 5),
  write_level smallint not null check (write_level between 0 and 5),
  download_level smallint not null check (download_level between 0 and 5),
  scan_state text not null default 'unscanned'
    check (scan_state in ('unscanned', 'waiting', 'clean', 'infected', 'tooLarge')),
  -- what the scanner found
  virus text,
  -- the record of another module whose file this is: it is changed and deleted there
  firmware_id integer unique references firmware_files on delete cascade,
  device_log_id integer unique references device_logs on delete cascade,
  uploaded_by integer references users on delete set null,
  uploaded_by_name text not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by_name text,
  unique (bucket, object_key),
  check (num_nonnulls(firmware_id, device_log_id) <= 1)
);
create unique index attachments_name on attachments (customer_id, folder_id, name_key) nulls not distinct
  where deleted_at is null and firmware_id is null and device_log_id is null;
create index attachments_folder on attachments (folder_id);
create index attachments_customer on attachments (customer_id);
-- the sum of what counts against the quota
create index attachments_space on attachments (customer_id) include (size)
  where firmware_id is null and device_log_id is null;
create index attachments_uploader on attachments (uploaded_by);
create index attachments_by_name on attachments ((name collate natural_sort), id) where deleted_at is null;
create index attachments_by_time on attachments (created_at, id) where deleted_at is null;
create index attachments_search on attachments using gin (name_key gin_trgm_ops);
create index attachments_trash on attachments (deleted_at) where deleted_at is not null;
create index attachments_scan on attachments (id) where scan_state = 'waiting';

-- The documents, devices and issues that use a file. Their readers may read it.
create table attachment_uses (
  attachment_id integer not null references attachments on delete cascade,
  kind text not null check (kind in ('document', 'device', 'issue')),
  object_id integer not null,
  primary key (attachment_id, kind, object_id)
);
create index attachment_uses_object on attachment_uses (kind, object_id);

-- The space for the files of a customer, where it is not the default.
create table attachment_quotas (
  customer_id integer primary key references customers on delete cascade,
  bytes bigint not null check (bytes >= 0)
);

-- Firmware files and device logs are attachments as well. Triggers add them, so that every way of storing one does, in
-- the same transaction; foreign keys remove them. Firmware belongs to the platform vendor.
create function add_firmware_attachment() returns trigger language plpgsql as $$
begin
  insert into attachments (customer_id, name, name_key, size, media_type, type, bucket, object_key, etag, read_level,
                           write_level, download_level, firmware_id, uploaded_by, uploaded_by_name, created_at)
  values ((select id from customers where platform_vendor order by id limit 1), new.file_name,
          lower(normalize(new.file_name)), new.size, 'application/octet-stream', 'firmware', 'firmware',
          new.object_key, new.sha256, 5, 3, 3, new.id, new.uploaded_by, new.uploaded_by_name, new.uploaded_at);
  return null;
end $$;
create trigger firmware_attachment after insert on firmware_files
  for each row execute function add_firmware_attachment();

-- A log belongs to the customer and the site where its device was.
create function add_log_attachment() returns trigger language plpgsql as $$
declare
  added integer;
begin
  insert into attachments (customer_id, site_id, name, name_key, size, media_type, type, bucket, object_key, etag,
                           read_level, write_level, download_level, device_log_id, uploaded_by_name, created_at)
  select d.customer_id, d.site_id, new.file_name, lower(normalize(new.file_name)), new.size, 'application/octet-stream',
         'log', 'main', new.object_key, new.sha256, 5, 3, 3, new.id, new.requested_by_name, new.received_at
    from devices d where d.id = new.device_id
  returning id into added;
  insert into attachment_uses (attachment_id, kind, object_id) values (added, 'device', new.device_id);
  return null;
end $$;
create trigger log_attachment after insert on device_logs for each row execute function add_log_attachment();

insert into attachments (customer_id, name, name_key, size, media_type, type, bucket, object_key, etag, read_level,
                         write_level, download_level, firmware_id, uploaded_by, uploaded_by_name, created_at)
select (select id from customers where platform_vendor order by id limit 1), file_name, lower(normalize(file_name)),
       size, 'application/octet-stream', 'firmware', 'firmware', object_key, sha256, 5, 3, 3, id, uploaded_by,
       uploaded_by_name, uploaded_at
  from firmware_files;

-- A stored log belongs to where its device was when the log arrived.
insert into attachments (customer_id, site_id, name, name_key, size, media_type, type, bucket, object_key, etag,
                         read_level, write_level, download_level, device_log_id, uploaded_by_name, created_at)
select coalesce(stay.customer_id, d.customer_id), coalesce(stay.site_id, d.site_id), l.file_name,
       lower(normalize(l.file_name)), l.size, 'application/octet-stream', 'log', 'main', l.object_key, l.sha256, 5, 3, 3,
       l.id, l.requested_by_name, l.received_at
  from device_logs l join devices d on d.id = l.device_id
  left join lateral (
    select s.customer_id, s.site_id from device_stays s
     where s.device_id = l.device_id and l.received_at <@ tstzrange(s.began_at, s.ended_at)
     order by s.began_at desc limit 1) stay on true;
insert into attachment_uses (attachment_id, kind, object_id)
select a.id, 'device', l.device_id from attachments a join device_logs l on l.id = a.device_log_id;
