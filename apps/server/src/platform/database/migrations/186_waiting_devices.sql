-- What an unregistered device said in its BootNotification, and until when its connection counts as open: it is renewed
-- with each BootNotification, so that no entry stays "waiting" when the server is killed.
alter table blacklist_entries
  add column serial_number text,
  add column firmware_version text,
  add column waiting_until timestamptz;
