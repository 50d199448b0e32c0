-- Addresses and texts name a file by its ID: 52 random bits below 2^53, which JSON numbers keep exactly. The former IDs
-- stay as the order in which files were added, and old addresses with them are still understood.
create function random_file_id() returns bigint language sql volatile as $$
  select ('x' || left(hex, 12) || right(hex, 1))::bit(52)::bigint | (1::bigint << 52)
    from replace(gen_random_uuid()::text, '-', '') as hex
$$;

alter table attachment_uses drop constraint attachment_uses_attachment_id_fkey;
alter table attachment_arrivals drop constraint attachment_arrivals_attachment_id_fkey;
alter table shares drop constraint shares_attachment_id_fkey;
alter table attachments drop constraint attachments_pkey;
alter table attachments rename column id to added;
alter table attachments add constraint attachments_added unique (added);
alter table attachments add column id bigint not null default random_file_id() primary key;
-- it had its number as its ID
alter table attachments add column numbered boolean not null default false;
update attachments set numbered = true;

alter table attachment_uses alter column attachment_id type bigint;
alter table attachment_arrivals alter column attachment_id type bigint;
alter table shares alter column attachment_id type bigint;
alter table share_uses alter column attachment_id type bigint;
update attachment_uses u set attachment_id = a.id from attachments a where a.added = u.attachment_id;
update attachment_arrivals r set attachment_id = a.id from attachments a where a.added = r.attachment_id;
update shares s set attachment_id = a.id from attachments a where a.added = s.attachment_id;
update share_uses s set attachment_id = a.id from attachments a where a.added = s.attachment_id;
alter table attachment_uses add constraint attachment_uses_attachment_id_fkey
  foreign key (attachment_id) references attachments on delete cascade;
alter table attachment_arrivals add constraint attachment_arrivals_attachment_id_fkey
  foreign key (attachment_id) references attachments on delete cascade;
alter table shares add constraint shares_attachment_id_fkey
  foreign key (attachment_id) references attachments on delete cascade;

create or replace function add_log_attachment() returns trigger language plpgsql as $$
declare
  log_file bigint;
begin
  insert into attachments (customer_id, site_id, name, name_key, size, media_type, type, bucket, object_key, etag,
                           read_level, write_level, download_level, device_log_id, uploaded_by_name, created_at)
  select d.customer_id, d.site_id, new.file_name, lower(normalize(new.file_name)), new.size, 'application/octet-stream',
         'log', 'main', new.object_key, new.sha256, 5, 3, 3, new.id, new.requested_by_name, new.received_at
    from devices d where d.id = new.device_id
  returning id into log_file;
  insert into attachment_uses (attachment_id, kind, object_id) values (log_file, 'device', new.device_id);
  return null;
end $$;

-- The files in stored texts. In the text of a JSON value, only an attribute has this form: quotes in texts are escaped.
create function files_by_new_id(body jsonb) returns jsonb language plpgsql as $$
declare
  named record;
  content text := body::text;
begin
  for named in
    select a.added, a.id from (
      select distinct part[1]::bigint as number from regexp_matches(content, '"file": "([0-9]{1,10})"', 'g') part) f
      join attachments a on a.added = f.number
  loop
    content := replace(content, '"file": "' || named.added || '"', '"file": "' || named.id || '"');
  end loop;
  return content::jsonb;
end $$;
-- A file in a text is not a change of it: nobody is notified.
alter table issue_entries disable trigger user;
alter table issues disable trigger user;
update document_texts set body = files_by_new_id(body) where body::text like '%"file": "%';
update document_versions set body = files_by_new_id(body) where body::text like '%"file": "%';
update document_drafts set body = files_by_new_id(body) where body::text like '%"file": "%';
update issues set body = files_by_new_id(body) where body::text like '%"file": "%';
update issue_entries set body = files_by_new_id(body) where body::text like '%"file": "%';
update issue_comment_versions set body = files_by_new_id(body) where body::text like '%"file": "%';
alter table issue_entries enable trigger user;
alter table issues enable trigger user;
drop function files_by_new_id(jsonb);
