-- A command that a user sends twice is executed once. The parts of a request are its devices, parameters or sites.
alter table commands add column request_key uuid, add column request_part text;
create unique index commands_request on commands (requested_by, request_key, request_part)
 where request_key is not null;
