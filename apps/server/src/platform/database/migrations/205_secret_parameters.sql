-- A parameter whose value is shown, logged and exported to nobody, whatever its name.
alter table device_model_items add column secret boolean not null default false,
  add constraint device_model_items_secret check (not secret or kind = 'parameter');
