-- A device without a connection of its own (behind an external broker or an edge node) counts as disconnected when it has
-- said nothing for so long. Null: the product's own limit.
alter table device_models add column silence_seconds integer check (silence_seconds between 30 and 86400);
