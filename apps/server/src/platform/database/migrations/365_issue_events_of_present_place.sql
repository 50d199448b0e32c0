-- Issues stay with the customer and the site where they were reported. After their device has moved, its commands and
-- firmware concern only the issues of its present place.
create or replace function note_issue_command() returns trigger language plpgsql as $$
begin
  insert into issue_entries (issue_id, event, data)
  select i.id, 'commandEnded', jsonb_build_object('executionId', n.id, 'kind', c.kind, 'result', n.result)
    from new_rows n join old_rows o on o.id = n.id join commands c on c.id = n.command_id
    -- not a command that was sent at a former place
    join device_stays s on s.device_id = n.device_id and s.ended_at = 'infinity' and n.queued_at >= s.began_at
    join issues i on i.device_id = n.device_id and i.status <> 'closed' and i.customer_id = s.customer_id
     and (i.site_id is null or i.site_id = s.site_id)
   where n.ended_at is not null and o.ended_at is null
   order by i.id;
  return null;
end $$;

create or replace function note_issue_firmware() returns trigger language plpgsql as $$
begin
  insert into issue_entries (issue_id, event, data)
  select i.id, 'firmwareChanged', jsonb_build_object('before', old.soft_version, 'after', new.soft_version)
    from issues i
   where i.device_id = new.id and i.status <> 'closed' and i.customer_id = new.customer_id
     and (i.site_id is null or i.site_id = new.site_id)
   order by i.id;
  return null;
end $$;
