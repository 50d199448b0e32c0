-- The user of a device who accepts the key of the link, so that its terminals need no password.
alter table links add column shell_user text;
