-- The event that ended a transaction that its device numbers itself: its number and the energy in it. Later events do not
-- change the energy any more. Earlier transactions have neither, and keep the energy that is stored.
alter table transactions add column end_seq integer, add column end_meter integer;
