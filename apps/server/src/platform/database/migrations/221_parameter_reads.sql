-- When the product last requested the parameters of a device by itself: once after each boot.
alter table device_states add column parameters_asked_at timestamptz;
create index device_states_unread on device_states (connected_at)
  where connected and (parameters_asked_at is null or parameters_asked_at < booted_at);
