-- Messages of devices that violate their protocol: rejected, or read anyway because the model is tolerant. One row per
-- device, outcome and action, with the latest reason.
create table device_message_faults (
  device_id integer not null references devices on delete cascade,
  outcome text not null check (outcome in ('rejected', 'tolerated')),
  action text not null,
  reason text not null,
  count integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (device_id, outcome, action)
);
