-- The alarm of a device whose status reports are rejected (`gateways/ocpp/connection/faults`).
insert into alarm_codes (code, name_en, name_zh) values
  ('StatusRejected', 'Status reports of the device are rejected', '设备的状态上报被拒收')
on conflict do nothing;
