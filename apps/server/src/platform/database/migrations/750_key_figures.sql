-- Key figures of sites: availability, energy, sessions. Triggers append what changes them in the transaction of the
-- change, without a lock that others wait for; a job adds it to the rollups. Rollups hold only changes, so a site where
-- nothing happens has no rows. No foreign keys: the history of a site outlives its devices, as with device_status_spans.
create table figure_changes (
  id bigint generated always as identity primary key,
  site_id integer not null,
  at timestamptz not null,
  -- the number of devices in a status changes by this
  status text,
  -- or that of ended sessions, with what decides their outcome
  ended jsonb,
  change smallint not null,
  -- energy that meters of sessions counted
  energy_wh bigint not null default 0
);

-- The devices of each site now, as far as the job has come.
create table site_figures (
  site_id integer primary key,
  served integer not null,
  available integer not null,
  charging integer not null
);

-- The power of the devices of each site that are charging, as the job last added it up. Values arrive all the time, so
-- a sum that every value changed would make devices of a site wait for each other.
create table site_power (
  site_id integer primary key,
  power_w double precision not null,
  at timestamptz not null
);

-- Changes in an hour, or a day in the zone of the fleet. Seconds: each change times the seconds until the end of the step.
create table site_figure_hours (
  at timestamptz not null,
  site_id integer not null,
  served integer not null,
  available integer not null,
  served_seconds double precision not null,
  available_seconds double precision not null,
  energy_wh bigint not null,
  sessions integer not null,
  failed integer not null,
  primary key (at, site_id)
);
create index site_figure_hours_site on site_figure_hours (site_id, at);
create table site_figure_days (like site_figure_hours including all);

create function note_status_spans() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    -- The past of a device was added before its current span.
    insert into figure_changes (site_id, at, status, change)
      select n.site_id, moved.at, n.status, moved.change
        from old_rows o join new_rows n on n.device_id = o.device_id
        cross join lateral (values (o.began_at, -1), (n.began_at, 1)) as moved (at, change)
       where o.ended_at = 'infinity' and n.ended_at = 'infinity' and n.began_at <> o.began_at;
    insert into figure_changes (site_id, at, status, change)
      select n.site_id, n.ended_at, n.status, -1
        from old_rows o join new_rows n on n.device_id = o.device_id and n.began_at = o.began_at
       where o.ended_at = 'infinity' and n.ended_at <> 'infinity';
    return null;
  end if;
  insert into figure_changes (site_id, at, status, change) select site_id, began_at, status, 1 from new_rows;
  insert into figure_changes (site_id, at, status, change)
    select site_id, ended_at, status, -1 from new_rows where ended_at <> 'infinity';
  return null;
end $$;
create trigger spans_noted after insert on device_status_spans
  referencing new table as new_rows for each statement execute function note_status_spans();
create trigger spans_changed after update on device_status_spans
  referencing old table as old_rows new table as new_rows for each statement execute function note_status_spans();

-- When the end of a session counts: with a wrong clock, when the session was reported.
create function figure_time(t transactions) returns timestamptz language sql stable as $$
  select case when t.clock_fault then coalesce(t.recorded_at, t.stopped_at) else t.stopped_at end
$$;
create function figure_energy(t transactions) returns bigint language sql immutable as $$
  select greatest(0, coalesce(t.meter_stop, t.meter_last, t.meter_start)::bigint - t.meter_start)
$$;
-- What decides the outcome of a session, null while it has not ended.
create function figure_end(t transactions) returns jsonb language sql immutable as $$
  select case when t.stopped_at is not null then jsonb_build_object(
    'energyWh', figure_energy(t), 'stopReason', t.stop_reason, 'stopCause', t.stop_cause) end
$$;

create function note_sessions() returns trigger language plpgsql as $$
begin
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
create trigger transactions_noted after insert on transactions
  referencing new table as new_rows for each statement execute function note_sessions();
create trigger transactions_changed after update on transactions
  referencing old table as old_rows new table as new_rows for each statement execute function note_sessions();

-- What is known of the last month. The job adds it in small transactions.
insert into figure_changes (site_id, at, status, change)
  select site_id, greatest(began_at, now() - interval '31 days'), status, 1
    from device_status_spans where ended_at > now() - interval '31 days';
insert into figure_changes (site_id, at, status, change)
  select site_id, ended_at, status, -1
    from device_status_spans where ended_at > now() - interval '31 days' and ended_at <> 'infinity';
insert into figure_changes (site_id, at, ended, change, energy_wh)
  select d.site_id, figure_time(t), figure_end(t), 1, figure_energy(t)
    from transactions t join devices d on d.id = t.device_id
   where t.stopped_at > now() - interval '31 days';
