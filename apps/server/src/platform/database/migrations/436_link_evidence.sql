-- Links of an issue are its evidence: they are kept with the issue, and can be read after the device was removed by users
-- with the level that was needed to control it.
alter table links add column control_level smallint;
update links l set control_level = m.control_level
  from devices d join device_models m on m.id = d.device_model_id where d.id = l.device_id;
drop index links_ended;
create index links_ended on links (ended_at) where state = 'ended' and issue_id is null;
