-- A change of the status of a device, which happens all the time, no longer pays for what changes its place, which is
-- rare: that is a trigger of the row, with a condition.
drop trigger devices_stay_changed on devices;
drop function change_stays();
create function change_stay() returns trigger language plpgsql as $$
declare
  present timestamptz := clock_timestamp();
begin
  update device_stays set ended_at = greatest(began_at, present) where device_id = new.id and ended_at = 'infinity';
  insert into device_stays (device_id, customer_id, site_id, began_at)
    values (new.id, new.customer_id, new.site_id, present);
  update device_events set ended_at = greatest(at, present) where device_id = new.id and ended_at is null;
  with ended as (
    update alarms set cleared_at = greatest(raised_at, present)
     where device_id = new.id and cleared_at is null returning *
  )
  insert into alarms (device_id, connector, code, kind, level, info, raised_at, last_at, suppressed, source, rule)
    select device_id, connector, code, kind, level, info, greatest(raised_at, present), greatest(last_at, present),
           suppressed, source, rule from ended;
  return null;
end $$;
create trigger devices_stay_changed after update on devices
  for each row when (new.site_id <> old.site_id or new.customer_id <> old.customer_id) execute function change_stay();

-- The same changes as before with one statement for each change of spans instead of two.
create or replace function note_status_spans() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into figure_changes (site_id, at, status, change)
      select n.site_id, noted.at, n.status, noted.change
        from old_rows o join new_rows n on n.device_id = o.device_id
        cross join lateral (
          values (n.ended_at, -1, n.ended_at <> 'infinity' and n.began_at = o.began_at),
                 -- The past of a device was added before its current span.
                 (o.began_at, -1, n.ended_at = 'infinity' and n.began_at <> o.began_at),
                 (n.began_at, 1, n.ended_at = 'infinity' and n.began_at <> o.began_at)
        ) as noted (at, change, applies)
       where o.ended_at = 'infinity' and noted.applies;
    return null;
  end if;
  insert into figure_changes (site_id, at, status, change)
    select site_id, noted.at, status, noted.change
      from new_rows cross join lateral (values (began_at, 1), (ended_at, -1)) as noted (at, change)
     where noted.at <> 'infinity';
  return null;
end $$;
