-- Commands that a device accepts first and carries out later (remote start and stop, trigger message): `accepted` until the
-- device reports the result. Nothing is in flight meanwhile, so that the device can be sent the next command.
alter table executions drop constraint executions_state_check;
alter table executions add constraint executions_state_check check (state in ('queued', 'sent', 'accepted', 'ended'));
create index executions_unconfirmed on executions (device_id) where state in ('sent', 'accepted');

-- Control types above 11 are our own; the domain knows which exist.
alter table commands drop constraint commands_control_type_check;
alter table commands add constraint commands_control_type_check check (control_type between 1 and 99);
alter table device_model_controls drop constraint device_model_controls_control_type_check;
alter table device_model_controls add constraint device_model_controls_control_type_check
  check (control_type between 1 and 99);
