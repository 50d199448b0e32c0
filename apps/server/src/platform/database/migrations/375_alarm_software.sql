-- An alarm keeps the software version that its device had when it was raised; null: unknown.
alter table alarms add column soft_version text;

create or replace function place_alarm() returns trigger language plpgsql as $$
begin
  select site_id, customer_id, device_model_id, coalesce(new.soft_version, nullif(soft_version, ''))
    into new.site_id, new.customer_id, new.device_model_id, new.soft_version
    from devices where id = new.device_id for key share;
  return new;
end $$;

-- For alarms in the statistics, what verified upgrades tell: the version before the next one, or after the last one.
update alarms a set soft_version = known.version
  from (
    select r.id, coalesce(
        (select t.former_version from transfers t
          where t.device_id = r.device_id and t.kind = 'software' and t.state = 'verified' and t.ended_at > r.raised_at
          order by t.ended_at limit 1),
        (select t.version from transfers t
          where t.device_id = r.device_id and t.kind = 'software' and t.state = 'verified' and t.ended_at <= r.raised_at
          order by t.ended_at desc limit 1)) as version
      from alarms r
     where r.raised_at > now() - interval '90 days'
       and r.device_id in (select device_id from transfers where kind = 'software' and state = 'verified')
  ) known
 where known.id = a.id and known.version <> '';
