-- A read that has no answer yet gives way to the commands of people: another command may be in flight beside it.
alter table executions add column gave_way boolean not null default false;
drop index executions_one_in_flight;
create unique index executions_one_in_flight on executions (device_id) where state = 'sent' and not gave_way;
