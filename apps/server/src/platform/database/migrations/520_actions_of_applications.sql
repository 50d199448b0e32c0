-- The action log by the beginning of the name of an application. Most actions are of none.
create index action_logs_application_name on action_logs (lower(application_name) text_pattern_ops)
  where application_name is not null;
