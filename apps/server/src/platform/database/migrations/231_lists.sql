-- The order of names, SNs, codes and keys in lists: numbers by value, Chinese by pinyin, the same as `compareNaturally` of
-- the domain. Columns keep their collation, so that equality, unique indexes and searches do not change.
do $$
begin
  create collation natural_sort (provider = icu, locale = 'zh-u-kn-true');
exception when feature_not_supported then
  -- A server without ICU sorts by character code.
  create collation natural_sort from "C";
end $$;

drop index devices_name_order, devices_sn_order, customers_name_order, customers_region_order,
  sites_name_order, sites_customer, sites_region_order;
create index devices_name_order on devices (name collate natural_sort, id);
create index devices_sn_order on devices (sn collate natural_sort, id);
create index customers_name_order on customers (name collate natural_sort, id);
create index customers_region_order on customers (country, province, city, name collate natural_sort, id)
  where country is not null;
create index sites_name_order on sites (name collate natural_sort, id);
create index sites_customer on sites (customer_id, name collate natural_sort, id);
create index sites_region_order on sites (country, province, city, name collate natural_sort, id) where country is not null;
create index users_name_order on users (user_name collate natural_sort, id);
create index blacklist_entries_sn_order on blacklist_entries (sn collate natural_sort, id);

-- Batches created in one step, one for each site: all refer to the first of them.
alter table command_batches add column group_id integer references command_batches on delete set null;
create index command_batches_group on command_batches (group_id) where group_id is not null;
