-- The measurement of the probe device over MQTT, next to that over OCPP.
alter table system_samples
  add column mqtt_probe_ms double precision,
  add column mqtt_probe_failed boolean not null default false;
