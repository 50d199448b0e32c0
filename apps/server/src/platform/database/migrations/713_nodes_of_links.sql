-- The node (epoch) that has the link: the one where it was requested, then the one to which its device connected.
alter table links add column node bigint;
