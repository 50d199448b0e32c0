-- Charging sessions whose end the device did not report (stop_reason 'NotReported'): why we count them as ended.
alter table transactions
  add column stop_cause text
    check (stop_cause in ('boot', 'connectorAvailable', 'connectorUnavailable', 'laterStart', 'closedByUser')),
  -- who closed it by hand, and what they said
  add column closed_by_name text,
  add column close_comment text,
  -- when we first heard of it, by our own clock; null for sessions from before this column
  add column recorded_at timestamptz,
  -- the device reported a time in it that cannot be
  add column clock_fault boolean not null default false;
update transactions set stop_cause = 'laterStart' where stop_reason = 'NotReported';
alter table transactions alter column recorded_at set default now();

-- Sessions that a boot ended may turn out to be running still.
create index transactions_ended_by_boot on transactions (device_id, connector) where stop_cause = 'boot';

-- A boot makes what connectors reported before it out of date until they report again.
alter table connectors add column outdated boolean not null default false;
