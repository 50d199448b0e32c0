-- An issue that a user sends twice is created once.
alter table issues add column request_key uuid;
create unique index issues_request on issues (created_by, request_key) where request_key is not null;
