-- Upgrades that wait: until a time, and until no vehicle is charging.
alter table executions
  add column not_before timestamptz,
  add column when_idle boolean not null default false;
