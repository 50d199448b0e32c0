-- Requests in the name of an application whose signature was refused.
alter table application_days add column refused integer not null default 0;
