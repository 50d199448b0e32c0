-- Failed sign-ins of an account or an address; the columns and their order are those rate-limiter-flexible writes.
create table sign_in_failures (
  key varchar(255) primary key,
  points integer not null default 0,
  -- epoch milliseconds
  expire bigint
);
create index sign_in_failures_expire on sign_in_failures (expire);

-- What the contract said of the endpoint when it was last synced (`public`, `common` or its keys). As long as it says
-- the same, the links and the common flag are people's to change; when it says something else, the difference is applied.
alter table interfaces add column declared_access text not null default '';
alter table interfaces alter column declared_access drop default;
create index menu_interfaces_interface on menu_interfaces (interface_id);

-- Scoped reading of the two logs, newest first.
create index login_logs_at on login_logs (at);
create index action_logs_at on action_logs (at);
