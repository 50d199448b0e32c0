-- Transactions that devices number themselves (OCPP 2.0.1). What is told of one comes in events, in any order: the row is
-- what all of them together say, so it keeps which of them it has its parts from.
alter table transactions
  -- the device's own name of it; null for those that we number (OCPP 1.6)
  add column external_id text,
  -- the first and the last event that came, by the device's numbers
  add column first_seq integer,
  add column last_seq integer,
  -- the first event that named a card
  add column id_seq integer,
  -- the greatest energy register told, in Wh
  add column meter_last integer,
  add check ((external_id is null) = (first_seq is null)),
  add check ((external_id is null) = (last_seq is null));

-- What makes a repeated start the same one is its content in 1.6, and its name in 2.0.1.
alter table transactions drop constraint transactions_device_id_connector_started_at_id_tag_meter_st_key;
create unique index transactions_started on transactions (device_id, connector, started_at, id_tag, meter_start)
  where external_id is null;
create unique index transactions_external on transactions (device_id, external_id) where external_id is not null;
