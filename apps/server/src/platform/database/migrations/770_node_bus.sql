-- What carries the messages between processes. Those with another bus would not hear each other.
alter table nodes add column bus text not null default 'postgres' check (bus in ('postgres', 'nats'));
