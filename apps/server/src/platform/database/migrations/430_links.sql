-- Links to devices: terminals, web pages and VPN through reverse tunnels.
create table links (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('ssh', 'web', 'vpn')),
  device_id integer references devices on delete set null,
  -- where it happened: the device may be moved or removed later
  device_sn text not null,
  device_name text not null,
  customer_id integer not null references customers on delete cascade,
  site_id integer references sites on delete set null,
  issue_id integer references issues on delete set null,
  port integer not null check (port between 1 and 65535),
  reason text not null,
  minutes smallint not null,
  requested_by integer references users on delete set null,
  requested_by_name text not null,
  requested_at timestamptz not null default now(),
  until timestamptz not null,
  -- until when it waits for a second person; null when it needs none or was approved
  approval_until timestamptz,
  approved_by_name text,
  state text not null default 'requested' check (state in ('requested', 'waiting', 'open', 'ended')),
  end_reason text,
  end_detail text,
  ended_by_name text,
  opened_at timestamptz,
  ended_at timestamptz,
  -- the executions of control 7 and 8
  start_execution uuid,
  stop_execution uuid,
  -- SHA-256 of the ticket, which is created when control 7 is sent
  ticket_hash bytea,
  ticket_until timestamptz,
  ticket_used_at timestamptz,
  address text,
  bytes_in bigint not null default 0,
  bytes_out bigint not null default 0,
  check ((state = 'ended') = (end_reason is not null)),
  check ((state = 'ended') = (ended_at is not null))
);
-- Those that have not ended are few, and are read twice a second.
create index links_active on links (id) where state <> 'ended';
create index links_start on links (start_execution) where start_execution is not null;
create index links_stop on links (stop_execution) where stop_execution is not null;
create index links_customer on links (customer_id, id);
create index links_site on links (site_id, id);
create index links_device on links (device_id, id);
create index links_issue on links (issue_id, id) where issue_id is not null;
create index links_requester on links (requested_by) where requested_by is not null;
create index links_ended on links (ended_at) where state = 'ended';

-- The rules of customers for links to their devices; those without a row have none.
create table link_policies (
  customer_id integer primary key references customers on delete cascade,
  second_person boolean not null,
  -- minutes of the day in the zone of the fleet
  hours_from smallint check (hours_from between 0 and 1439),
  hours_until smallint check (hours_until between 0 and 1439),
  web boolean not null,
  check ((hours_from is null) = (hours_until is null))
);
