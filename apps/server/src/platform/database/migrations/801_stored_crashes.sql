-- Finds the occurrence of a crashed run, by the start of the run.
create index error_occurrences_run on error_occurrences ((details ->> 'startedAt')) where details ? 'lastHeartbeat';
