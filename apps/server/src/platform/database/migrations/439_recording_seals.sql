-- A keyed hash over the recording and all its parts so far: a later change of a row shows.
alter table link_recordings add column parts integer not null default 0;
alter table link_recordings add column seal bytea not null default '';
