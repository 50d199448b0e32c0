-- Faults of messages are deleted with the retention of the protocol log.
create index device_message_faults_last on device_message_faults (last_at);
