-- Events of issues name the key, as the open API does.
create or replace function record_issue_event() returns trigger language plpgsql as $$
begin
  if exists (select from applications) then
    insert into open_events (type, customer_id, site_id, device_id, data)
    values (case tg_op when 'INSERT' then 'issue.created' else 'issue.changed' end,
            new.customer_id, new.site_id, new.device_id,
            jsonb_build_object('id', new.id, 'key', issue_key(new.customer_id, new.number), 'number', new.number,
              'title', new.title, 'status', new.status, 'type', new.type, 'priority', new.priority,
              'customerId', new.customer_id, 'siteId', new.site_id, 'deviceId', new.device_id,
              'createdAt', new.created_at, 'updatedAt', new.updated_at));
  end if;
  return null;
end $$;
