-- The users who were notified of an incident on any channel, and the last type that reached them. What joins the incident
-- later notifies the others.
create table incident_receivers (
  incident_id integer not null references incidents on delete cascade,
  user_id integer not null references users on delete cascade,
  type text not null,
  primary key (incident_id, user_id)
);
create index incident_receivers_user on incident_receivers (user_id);

insert into incident_receivers (incident_id, user_id, type)
select m.incident_id, m.user_id, i.type from messages m join incidents i on i.id = m.incident_id
 where i.closed_at is null
union
select i.id, m.user_id, i.type from message_mails m join incidents i on i.id = any(m.incident_ids)
 where i.closed_at is null
union
select i.id, s.user_id, i.type from message_sends s join incidents i on i.id = s.incident_id join users u on u.id = s.user_id
 where i.closed_at is null;
