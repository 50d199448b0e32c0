-- Folders and saved parameters of one site: users with assigned sites see only those of their sites, and those for all
-- sites of the customer (null). No reference: nothing becomes visible to more users when its site is removed.
alter table folders add column site_id integer;
alter table parameter_baselines add column site_id integer;

drop index parameter_baselines_name;
create unique index parameter_baselines_name
  on parameter_baselines (device_model_id, coalesce(customer_id, 0), coalesce(site_id, 0), lower(name));
