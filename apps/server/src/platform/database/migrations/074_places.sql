-- where a customer or a site is ----------------------------------------------------------------------------------------

-- Codes of the region data: ISO 3166-1 for countries, ISO 3166-2 for provinces, GB/T 2260 within China.
alter table customers
  add column country text,
  add column province text,
  add column city text,
  add constraint customers_region check (
    (province is null or country is not null) and (city is null or province is not null));
create index customers_region_order on customers (country, province, city, name, id) where country is not null;

alter table sites
  add column country text,
  add column province text,
  add column city text,
  -- degrees, WGS-84
  add column latitude double precision check (latitude between -90 and 90),
  add column longitude double precision check (longitude between -180 and 180),
  add constraint sites_region check (
    (province is null or country is not null) and (city is null or province is not null)),
  add constraint sites_position check ((latitude is null) = (longitude is null));
create index sites_region_order on sites (country, province, city, name, id) where country is not null;

-- who is told of a site ------------------------------------------------------------------------------------------------

-- Whether somebody still sees the site is asked with every reading, not kept here.
create table site_receivers (
  site_id integer not null references sites on delete cascade,
  user_id integer not null references users on delete cascade,
  added_at timestamptz not null default now(),
  primary key (site_id, user_id)
);
create index site_receivers_user on site_receivers (user_id);

-- how devices stood over time ------------------------------------------------------------------------------------------

-- One row for each stretch in which a device stood in one status at one site; the present one ends at infinity. No
-- foreign keys: the history of a site outlives its devices, and writing it must not wait for whoever holds the site.
create table device_status_spans (
  device_id integer not null,
  site_id integer not null,
  status text not null,
  began_at timestamptz not null,
  ended_at timestamptz not null default 'infinity',
  check (ended_at >= began_at)
);
create unique index device_status_spans_present on device_status_spans (device_id) where ended_at = 'infinity';
create index device_status_spans_site on device_status_spans (site_id, ended_at);
create index device_status_spans_ended on device_status_spans using brin (ended_at);

-- Whoever changes the status or the site of devices changes the spans with it, in the same statement. The rows of the
-- devices are locked by then, so that the clock, unlike now(), keeps the spans of each in order.
create function begin_status_spans() returns trigger language plpgsql as $$
begin
  insert into device_status_spans (device_id, site_id, status, began_at)
    select id, site_id, status, clock_timestamp() from new_rows;
  return null;
end $$;
create trigger devices_status_begun after insert on devices
  referencing new table as new_rows for each statement execute function begin_status_spans();

create function change_status_spans() returns trigger language plpgsql as $$
declare
  changed integer[];
  present timestamptz := clock_timestamp();
begin
  select array_agg(n.id) into changed from new_rows n join old_rows o on o.id = n.id
   where n.status <> o.status or n.site_id <> o.site_id;
  if changed is null then return null; end if;
  update device_status_spans set ended_at = greatest(began_at, present)
   where device_id = any (changed) and ended_at = 'infinity';
  insert into device_status_spans (device_id, site_id, status, began_at)
    select id, site_id, status, present from new_rows where id = any (changed);
  return null;
end $$;
create trigger devices_status_changed after update on devices
  referencing old table as old_rows new table as new_rows for each statement execute function change_status_spans();

create function end_status_spans() returns trigger language plpgsql as $$
begin
  update device_status_spans s set ended_at = greatest(began_at, clock_timestamp())
    from old_rows o where s.device_id = o.id and s.ended_at = 'infinity';
  return null;
end $$;
create trigger devices_status_ended after delete on devices
  referencing old table as old_rows for each statement execute function end_status_spans();

insert into device_status_spans (device_id, site_id, status, began_at)
  select id, site_id, status, now() from devices;

-- Each node's last sign of life, and the times in which none was there to see how devices stand.
create table server_beats (
  node text primary key,
  at timestamptz not null
);
create table server_gaps (
  id integer generated always as identity primary key,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  check (ended_at >= began_at)
);
create index server_gaps_ended on server_gaps (ended_at);

-- what devices sent and were sent ----------------------------------------------------------------------------------------

-- Bytes of frames by the hour, at the site where the device stood then.
create table traffic_hours (
  site_id integer not null,
  -- the beginning of the hour
  at timestamptz not null,
  device_id integer not null,
  received bigint not null,
  sent bigint not null,
  primary key (site_id, at, device_id)
) partition by range (at);
create index traffic_hours_device on traffic_hours (device_id, at);
create table traffic_hours_default partition of traffic_hours default;
