-- Faults that come and go: an incident whose fault was over shortly before.
alter table incidents add column returned boolean not null default false;
create index incidents_closed on incidents (site_id, closed_at) where closed_at is not null;
