-- What follows from a change of devices: one trigger instead of three, which looks once at what changed.
create or replace function change_status_spans() returns trigger language plpgsql as $$
declare
  present timestamptz := clock_timestamp();
  concerned boolean;
  moved integer[];
  told boolean;
begin
  select count(*) > 0, array_agg(n.id) filter (where n.site_id <> o.site_id or n.customer_id <> o.customer_id),
         bool_or(n.status <> o.status) and exists (select from applications)
    into concerned, moved, told
    from new_rows n join old_rows o on o.id = n.id
   where (n.status, n.site_id, n.customer_id, n.status_since) <> (o.status, o.site_id, o.customer_id, o.status_since);
  if not concerned then return null; end if;

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
    returning device_id, site_id, status, began_at
  )
  -- One row for the devices of a site that change alike; `change` is a smallint.
  insert into figure_changes (site_id, at, status, change)
    select site_id, at, status, sum(change)
      from (select device_id, site_id, ended_at as at, status, -1 as change from ended
            union all select device_id, site_id, began_at, status, 1 from begun) c
     group by site_id, at, status, device_id / 30000 having sum(change) <> 0;

  if told then
    insert into open_events (type, customer_id, site_id, device_id, data)
      select 'device.status', n.customer_id, n.site_id, n.id,
             jsonb_build_object('id', n.id, 'sn', n.sn, 'status', n.status, 'previousStatus', o.status,
               'statusSince', n.status_since)
        from new_rows n join old_rows o on o.id = n.id where n.status <> o.status;
  end if;

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
drop trigger devices_stay_changed on devices;
drop trigger devices_event on devices;

-- Statements that change nothing are frequent: reports look for sessions and alarms that they end.
create or replace function note_sessions() returns trigger language plpgsql as $$
begin
  if not exists (select from new_rows) then return null; end if;
  if tg_op = 'INSERT' then
    insert into figure_changes (site_id, at, ended, change, energy_wh)
      select d.site_id, coalesce(figure_time(n::transactions), clock_timestamp()), figure_end(n::transactions),
             case when n.stopped_at is null then 0 else 1 end, figure_energy(n::transactions)
        from new_rows n join devices d on d.id = n.device_id
       where n.stopped_at is not null or figure_energy(n::transactions) > 0;
    return null;
  end if;
  insert into figure_changes (site_id, at, ended, change, energy_wh)
    select d.site_id, figure_time(o::transactions), figure_end(o::transactions), -1, -figure_energy(o::transactions)
      from old_rows o join new_rows n on n.id = o.id join devices d on d.id = n.device_id
     where o.stopped_at is not null
       and (n.stopped_at is distinct from o.stopped_at or figure_end(n::transactions) is distinct from figure_end(o::transactions));
  insert into figure_changes (site_id, at, ended, change, energy_wh)
    select d.site_id, figure_time(n::transactions), figure_end(n::transactions), 1,
           figure_energy(n::transactions) - case when o.stopped_at is null then figure_energy(o::transactions) else 0 end
      from old_rows o join new_rows n on n.id = o.id join devices d on d.id = n.device_id
     where n.stopped_at is not null
       and (n.stopped_at is distinct from o.stopped_at or figure_end(n::transactions) is distinct from figure_end(o::transactions));
  insert into figure_changes (site_id, at, change, energy_wh)
    select d.site_id, clock_timestamp(), 0,
           figure_energy(n::transactions) - case when o.stopped_at is null then figure_energy(o::transactions) else 0 end
      from old_rows o join new_rows n on n.id = o.id join devices d on d.id = n.device_id
     where n.stopped_at is null
       and (o.stopped_at is not null or figure_energy(n::transactions) <> figure_energy(o::transactions));
  return null;
end $$;

create or replace function note_issue_alarm() returns trigger language plpgsql as $$
begin
  if not exists (select from new_rows) then return null; end if;
  insert into issue_entries (issue_id, event, data)
  select i.id, case when n.cleared_at is null then 'alarmRaised' else 'alarmCleared' end,
         jsonb_build_object('alarmId', n.id, 'code', n.code)
    from new_rows n join old_rows o on o.id = n.id join issues i on i.alarm_id = n.id
   where (n.cleared_at is null) <> (o.cleared_at is null)
   order by i.id;
  return null;
end $$;

create or replace function announce_changed_alarms() returns trigger language plpgsql as $$
begin
  if not exists (select from after_change) then return null; end if;
  insert into notices (type, key, ended, subject_kind, subject_id, customer_id, site_id, device_id, level, data)
  select notice_type_of_alarm(a.kind, a.level), a.id::text, a.cleared_at is not null or a.suppressed, 'alarm',
         a.id::text, a.customer_id, a.site_id, a.device_id, a.level, notice_data_of_alarm(a.code, a.connector, a.info, a.raised_at)
    from after_change a join before_change b using (id)
   where (a.cleared_at is null and not a.suppressed) <> (b.cleared_at is null and not b.suppressed)
      or (a.cleared_at is null and not a.suppressed and (a.level, a.kind) <> (b.level, b.kind));
  return null;
end
$$;
