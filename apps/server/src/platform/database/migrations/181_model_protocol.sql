-- What devices of a model speak, and how many connectors they have; null where the model does not say.
alter table device_models
  add column protocol text check (protocol in ('ocpp16', 'ocpp2', 'mqtt')),
  add column connector_count smallint check (connector_count between 1 and 128);
update device_models set protocol = case
    when name in ('Generic OCPP 1.6 pile', 'Off-spec OCPP 1.6 pile') then 'ocpp16'
    when name in ('Generic OCPP 2.0.1 pile', 'V2G pile') then 'ocpp2'
    when name in ('Home storage unit') then 'mqtt' end
  where name in ('Generic OCPP 1.6 pile', 'Off-spec OCPP 1.6 pile', 'Generic OCPP 2.0.1 pile', 'V2G pile', 'Home storage unit');
