-- The site of a waiting device is proposed from registered devices with the same address.
create index device_states_remote_address on device_states (remote_address) where remote_address is not null;
