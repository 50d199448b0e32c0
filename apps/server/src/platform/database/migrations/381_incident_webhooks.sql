-- The webhooks that were called about an incident, and the last type that reached them. What joins the incident later is
-- sent to the others.
create table incident_webhooks (
  incident_id integer not null references incidents on delete cascade,
  webhook_id integer not null references webhooks on delete cascade,
  type text not null,
  primary key (incident_id, webhook_id)
);
create index incident_webhooks_webhook on incident_webhooks (webhook_id);

insert into incident_webhooks (incident_id, webhook_id, type)
select distinct on (s.incident_id, s.webhook_id) s.incident_id, s.webhook_id, s.type
  from message_sends s join incidents i on i.id = s.incident_id
 where s.webhook_id is not null and s.type <> 'recovery' and i.closed_at is null
 order by s.incident_id, s.webhook_id, s.id desc;
