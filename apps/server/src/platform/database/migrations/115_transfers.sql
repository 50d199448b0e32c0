-- Firmware files, as people uploaded them and the server checked them.
create table firmware_files (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('software', 'plc')),
  version text not null check (version <> ''),
  -- as the uploader's machine called it
  file_name text not null,
  -- in the firmware bucket
  object_key text not null unique,
  size bigint not null check (size > 0),
  -- small hexadecimal digits
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  note text not null default '',
  uploaded_by integer references users on delete set null,
  uploaded_by_name text not null,
  uploaded_at timestamptz not null default now()
);
create index firmware_files_uploader on firmware_files (uploaded_by);

-- The device models a file is for.
create table firmware_models (
  firmware_id integer not null references firmware_files on delete cascade,
  device_model_id integer not null references device_models on delete cascade,
  primary key (firmware_id, device_model_id)
);
create index firmware_models_model on firmware_models (device_model_id);

-- What moves, or moved, between here and a device, and how far it is. The id is what devices know it by.
create table transfers (
  id integer generated always as identity primary key,
  execution_id uuid not null unique references executions on delete cascade,
  device_id integer not null references devices on delete cascade,
  kind text not null check (kind in ('software', 'plc', 'log')),
  transport text not null check (transport in ('http', 'ftp')),
  firmware_id integer references firmware_files on delete set null,
  -- of the firmware file as it was: the history outlives the file
  version text,
  -- what the device ran when it was asked
  former_version text,
  -- the name under which the device fetches the file, or under which it handed in its log
  file_name text,
  object_key text,
  size bigint,
  sha256 text,
  log_type text check (log_type in ('diagnostics', 'security')),
  log_from timestamptz,
  log_to timestamptz,
  state text not null default 'requested' check (state in ('requested', 'downloading', 'downloaded', 'installing',
    'installed', 'verified', 'uploading', 'uploaded', 'stored', 'failed', 'timedOut')),
  reason text,
  -- what the device, or whoever found the fault, said beside it
  detail text,
  failures smallint not null default 0,
  -- how many bytes of the file went over the line at most
  bytes bigint not null default 0,
  -- SHA-256 of the one-time credential; the credential itself is kept nowhere
  credential_hash text unique,
  -- how often the file was delivered to its end
  deliveries smallint not null default 0,
  requested_by integer references users on delete set null,
  requested_by_name text not null,
  requested_at timestamptz not null default now(),
  -- the moment the device was asked; what it reported before concerns something else
  asked_at timestamptz,
  -- when a device was last asked for a version that it does not tell by itself
  version_asked_at timestamptz,
  deadline_at timestamptz not null,
  ended_at timestamptz,
  check ((ended_at is not null) = (state in ('verified', 'stored', 'failed', 'timedOut'))),
  check ((reason is not null) = (state in ('failed', 'timedOut'))),
  check ((kind = 'log') = (log_type is not null)),
  check (kind = 'log' or (version is not null and object_key is not null and size is not null and sha256 is not null))
);
-- One firmware and one log at a time: reports of devices do not say which of two they mean.
create unique index transfers_one_under_way on transfers (device_id, (kind = 'log')) where ended_at is null;
create index transfers_deadline on transfers (deadline_at) where ended_at is null;
create index transfers_device on transfers (device_id, id desc);
create index transfers_firmware on transfers (firmware_id);
create index transfers_requester on transfers (requested_by);

-- What a device reported of a transfer, in the words of its protocol.
create table transfer_reports (
  transfer_id integer not null references transfers on delete cascade,
  seq smallint not null,
  at timestamptz not null,
  word text not null,
  -- where the transfer stood after it
  state text not null,
  primary key (transfer_id, seq)
);

-- Logs that devices handed in.
create table device_logs (
  id integer generated always as identity primary key,
  device_id integer not null references devices on delete cascade,
  transfer_id integer references transfers on delete set null,
  type text not null check (type in ('diagnostics', 'security')),
  file_name text not null,
  -- in the main bucket
  object_key text not null unique,
  size bigint not null check (size > 0),
  sha256 text not null,
  log_from timestamptz,
  log_to timestamptz,
  requested_by_name text not null,
  received_at timestamptz not null default now()
);
create index device_logs_device on device_logs (device_id, received_at desc);
create index device_logs_age on device_logs (received_at);
create unique index device_logs_transfer on device_logs (transfer_id);

-- A file that a device is about to fetch stays, whoever deletes it at the same moment.
create function refuse_deleting_awaited_firmware() returns trigger language plpgsql as $$
begin
  if exists (select from transfers where firmware_id = old.id and ended_at is null) then
    raise exception 'a transfer waits for this firmware file' using errcode = 'check_violation', constraint = 'firmware_awaited';
  end if;
  return old;
end $$;
create trigger firmware_awaited before delete on firmware_files
  for each row execute function refuse_deleting_awaited_firmware();
