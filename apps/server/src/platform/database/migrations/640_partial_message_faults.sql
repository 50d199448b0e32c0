-- Messages whose good parts were stored and whose others were refused.
alter table device_message_faults drop constraint device_message_faults_outcome_check;
alter table device_message_faults add constraint device_message_faults_outcome_check
  check (outcome in ('rejected', 'partial', 'tolerated'));
