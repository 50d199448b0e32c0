-- Issues that people without an account report, from the QR code on a device, from a link of a site, or without either.

-- The secrets of the links for reports. 122 random bits as base64url, short enough for a small QR code.
create table report_links (
  token text primary key default translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/=', '-_'),
  device_id integer unique references devices on delete cascade,
  site_id integer unique references sites on delete cascade,
  created_at timestamptz not null default now(),
  check (num_nonnulls(device_id, site_id) = 1)
);
insert into report_links (device_id) select id from devices;
insert into report_links (site_id) select id from sites;

-- Every device and every site has its link from the start, whichever module adds it.
create function add_report_link_of_device() returns trigger language plpgsql as $$
begin
  insert into report_links (device_id) values (new.id);
  return null;
end $$;
create trigger devices_report_link after insert on devices
  for each row execute function add_report_link_of_device();
create function add_report_link_of_site() returns trigger language plpgsql as $$
begin
  insert into report_links (site_id) values (new.id);
  return null;
end $$;
create trigger sites_report_link after insert on sites
  for each row execute function add_report_link_of_site();

create table issue_reports (
  id integer generated always as identity primary key,
  issue_id integer not null references issues on delete cascade,
  -- made by the browser of the reporter, so that sending twice is one report
  request_key uuid not null unique,
  -- the secret of the link by which the reporter follows the report
  follow_token text not null unique default translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/=', '-_'),
  created_at timestamptz not null default clock_timestamp(),
  -- where it was reported: counts for the limits, and is kept when the issue moves
  device_id integer references devices on delete set null,
  site_id integer references sites on delete set null,
  -- as the link showed them; null without a link, because then they would confirm what the reporter guessed
  site_name text,
  device_name text,
  connector integer,
  -- what the reporter entered instead
  sn text not null default '',
  place text not null default '',
  type smallint not null,
  description text not null,
  locale text not null,
  -- deleted 90 days after the issue was closed
  contact text,
  had_contact boolean not null,
  notify boolean not null,
  joined boolean not null,
  replies integer not null default 0
);
create index issue_reports_issue on issue_reports (issue_id, id);
create index issue_reports_device on issue_reports (device_id, created_at) where device_id is not null;
create index issue_reports_site on issue_reports (site_id, created_at) where site_id is not null;
create index issue_reports_unplaced on issue_reports (created_at) where site_id is null;
create index issue_reports_contact on issue_reports (issue_id) where contact is not null;

-- Messages that a reporter added, by their key, so that sending twice is one message.
create table issue_report_replies (
  report_id integer not null references issue_reports on delete cascade,
  request_key uuid not null,
  primary key (report_id, request_key)
);

-- Photos and videos of reporters, while they arrive and after.
create table issue_report_uploads (
  id uuid primary key,
  report_id integer not null references issue_reports on delete cascade,
  -- the message that it belongs to: 0 is the report, then replies
  message integer not null,
  name text not null,
  size bigint not null,
  received bigint not null default 0,
  done boolean not null default false,
  active_at timestamptz not null default now()
);
create index issue_report_uploads_report on issue_report_uploads (report_id, message);
create index issue_report_uploads_active on issue_report_uploads (active_at) where not done;
