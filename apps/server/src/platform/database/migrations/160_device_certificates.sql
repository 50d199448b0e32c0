-- Certificates that the operator's authority signed here at the request of a device (OCPP A02, A03).
create table device_certificates (
  id bigint generated always as identity primary key,
  device_id integer not null references devices on delete cascade,
  -- small hexadecimal digits, as is the SHA-256 of the certificate
  serial text not null unique check (serial ~ '^([0-9a-f]{2})+$'),
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$'),
  subject text not null,
  not_before timestamptz not null,
  not_after timestamptz not null check (not_after > not_before),
  issued_at timestamptz not null,
  -- what the device said of it; null until then
  accepted boolean,
  answered_at timestamptz,
  check ((accepted is null) = (answered_at is null))
);
create index device_certificates_device on device_certificates (device_id, id desc);
