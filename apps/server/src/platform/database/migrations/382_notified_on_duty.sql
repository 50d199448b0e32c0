-- Whether a user was notified of an incident while on duty: they learn of its end, also after their shift.
alter table incident_receivers add column on_duty boolean not null default false;
