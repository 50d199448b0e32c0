-- The status of devices in a narrow table, which lists and counts read. A change of the status then changes no indexed
-- column of the wide table `devices`, so that it writes one row there and no index (HOT). Triggers keep the two the same.
create table device_status (
  device_id integer primary key references devices on delete cascade,
  customer_id integer not null,
  site_id integer not null,
  status text not null,
  since timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 1000);
insert into device_status (device_id, customer_id, site_id, status, since)
  select id, customer_id, site_id, status, status_since from devices;
create index device_status_customer on device_status (customer_id, status);
create index device_status_site on device_status (site_id, status);
create index device_status_status on device_status (status, device_id);
create index device_status_since on device_status (since, device_id);

drop index devices_status_since, devices_status, devices_site, devices_customer;
create index devices_site on devices (site_id);
create index devices_customer on devices (customer_id);
-- Space for the next version of a row on its page.
alter table devices set (fillfactor = 80);

create or replace function begin_status_spans() returns trigger language plpgsql as $$
begin
  insert into device_status (device_id, customer_id, site_id, status, since)
    select id, customer_id, site_id, status, status_since from new_rows;
  with begun as (
    insert into device_status_spans (device_id, site_id, status, began_at)
      select id, site_id, status, clock_timestamp() from new_rows returning site_id, status, began_at
  )
  insert into figure_changes (site_id, at, status, change) select site_id, began_at, status, 1 from begun;
  return null;
end $$;

create or replace function end_status_spans() returns trigger language plpgsql as $$
begin
  with ended as (
    update device_status_spans s set ended_at = greatest(began_at, clock_timestamp())
      from old_rows o where s.device_id = o.id and s.ended_at = 'infinity'
    returning s.site_id, s.status, s.ended_at
  )
  insert into figure_changes (site_id, at, status, change) select site_id, ended_at, status, -1 from ended;
  return null;
end $$;

-- Everything that follows from another status or place, in one statement.
create or replace function change_status_spans() returns trigger language plpgsql as $$
declare
  present timestamptz := clock_timestamp();
begin
  with changed as materialized (
    select n.id, n.customer_id, n.site_id, n.status, n.status_since, n.status <> o.status or n.site_id <> o.site_id as ends
      from new_rows n join old_rows o on o.id = n.id
     where (n.status, n.site_id, n.customer_id, n.status_since) <> (o.status, o.site_id, o.customer_id, o.status_since)
  ), listed as (
    update device_status s
       set customer_id = c.customer_id, site_id = c.site_id, status = c.status, since = c.status_since
      from changed c where s.device_id = c.id
  ), ended as (
    update device_status_spans s set ended_at = greatest(s.began_at, present)
      from changed c where s.device_id = c.id and s.ended_at = 'infinity' and c.ends
    returning s.device_id, s.site_id, s.status, s.ended_at
  ), begun as (
    -- Joined, so that the end of a span is stored before the next one begins.
    insert into device_status_spans (device_id, site_id, status, began_at)
      select c.id, c.site_id, c.status, present from changed c left join ended e on e.device_id = c.id where c.ends
    returning site_id, status, began_at
  )
  insert into figure_changes (site_id, at, status, change)
    select site_id, ended_at, status, -1 from ended union all select site_id, began_at, status, 1 from begun;
  return null;
end $$;

-- The functions above add their changes themselves.
drop trigger spans_noted on device_status_spans;
create trigger spans_noted after insert on device_status_spans
  referencing new table as new_rows for each statement when (pg_trigger_depth() = 0) execute function note_status_spans();
drop trigger spans_changed on device_status_spans;
create trigger spans_changed after update on device_status_spans
  referencing old table as old_rows new table as new_rows for each statement when (pg_trigger_depth() = 0)
  execute function note_status_spans();

-- Once for all devices of a statement.
drop trigger devices_event on devices;
create or replace function record_device_event() returns trigger language plpgsql as $$
begin
  if exists (select from applications) then
    insert into open_events (type, customer_id, site_id, device_id, data)
    select 'device.status', n.customer_id, n.site_id, n.id,
           jsonb_build_object('id', n.id, 'sn', n.sn, 'status', n.status, 'previousStatus', o.status,
             'statusSince', n.status_since)
      from new_rows n join old_rows o on o.id = n.id where n.status <> o.status;
  end if;
  return null;
end $$;
create trigger devices_event after update on devices
  referencing old table as old_rows new table as new_rows for each statement execute function record_device_event();
