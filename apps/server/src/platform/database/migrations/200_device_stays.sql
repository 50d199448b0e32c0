-- History belongs to the customer and site where it happened. A stay is the time a device spent at one site of one
-- customer; the present one ends at infinity. What has only a device and a time is read through the stays of its device.
create table device_stays (
  device_id integer not null references devices on delete cascade,
  customer_id integer not null,
  site_id integer not null,
  began_at timestamptz not null,
  ended_at timestamptz not null default 'infinity',
  check (ended_at >= began_at)
);
create index device_stays_device on device_stays (device_id);
create unique index device_stays_present on device_stays (device_id) where ended_at = 'infinity';

-- What is known of earlier moves: the spans name the site. The first known stay holds everything before it.
with changes as (
  select device_id, site_id, began_at,
         lag(site_id) over (partition by device_id order by began_at, ended_at) as former
    from device_status_spans
), stays as (
  select c.device_id, c.site_id, c.began_at,
         lead(c.began_at) over (partition by c.device_id order by c.began_at) as ended_at,
         row_number() over (partition by c.device_id order by c.began_at) as place
    from changes c where c.former is distinct from c.site_id
)
insert into device_stays (device_id, customer_id, site_id, began_at, ended_at)
  select d.id, coalesce(case when s.ended_at is not null then site.customer_id end, d.customer_id),
         case when s.ended_at is null then d.site_id else s.site_id end,
         case when s.place is null or s.place = 1 then '-infinity' else s.began_at end,
         coalesce(s.ended_at, 'infinity')
    from devices d left join stays s on s.device_id = d.id left join sites site on site.id = s.site_id;

-- Alarms and events keep the place where they happened; they no longer move along with their device.
alter table alarms
  drop constraint alarms_device,
  add constraint alarms_device foreign key (device_id) references devices on delete cascade,
  add constraint alarms_site foreign key (site_id) references sites on delete cascade;
alter table device_events
  drop constraint device_events_device,
  add constraint device_events_device foreign key (device_id) references devices on delete cascade,
  add constraint device_events_site foreign key (site_id) references sites on delete cascade;
create index device_events_place on device_events (site_id);

create function begin_stays() returns trigger language plpgsql as $$
begin
  insert into device_stays (device_id, customer_id, site_id, began_at)
    select id, customer_id, site_id, '-infinity' from new_rows;
  return null;
end $$;
create trigger devices_stay_begun after insert on devices
  referencing new table as new_rows for each statement execute function begin_stays();

-- A device that moves ends its stay. An alarm that is open ends at the former place, with its comments and names, and
-- begins anew at the present one: the fault is still there.
create function change_stays() returns trigger language plpgsql as $$
declare
  moved integer[];
  present timestamptz := clock_timestamp();
begin
  select array_agg(n.id) into moved from new_rows n join old_rows o on o.id = n.id
   where n.site_id <> o.site_id or n.customer_id <> o.customer_id;
  if moved is null then return null; end if;
  update device_stays set ended_at = greatest(began_at, present)
   where device_id = any (moved) and ended_at = 'infinity';
  insert into device_stays (device_id, customer_id, site_id, began_at)
    select id, customer_id, site_id, present from new_rows where id = any (moved);
  update device_events set ended_at = greatest(at, present) where device_id = any (moved) and ended_at is null;
  with ended as (
    update alarms set cleared_at = greatest(raised_at, present)
     where device_id = any (moved) and cleared_at is null returning *
  )
  insert into alarms (device_id, connector, code, kind, level, info, raised_at, last_at, suppressed, source, rule)
    select device_id, connector, code, kind, level, info, greatest(raised_at, present), greatest(last_at, present),
           suppressed, source, rule from ended;
  return null;
end $$;
create trigger devices_stay_changed after update on devices
  referencing old table as old_rows new table as new_rows for each statement execute function change_stays();
