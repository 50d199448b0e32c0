alter table sites add column build_date date;

-- The platform vendor runs the installation: disabled or read-only, nobody could undo it.
alter table customers add constraint customers_platform_vendor_serves check (not platform_vendor or (enabled and not read_only));

create function keep_platform_vendor() returns trigger language plpgsql as $$
begin
  raise exception 'the platform vendor is kept' using errcode = 'check_violation', constraint = 'customers_platform_vendor_kept';
end $$;
create trigger customers_platform_vendor_deleted before delete on customers
  for each row when (old.platform_vendor) execute function keep_platform_vendor();
create trigger customers_platform_vendor_changed before update of platform_vendor on customers
  for each row when (old.platform_vendor and not new.platform_vendor) execute function keep_platform_vendor();

create index customers_name_order on customers (name, id);
create index customers_search on customers using gin ((name || ' ' || code) gin_trgm_ops);
create index sites_name_order on sites (name, id);
create index sites_customer on sites (customer_id, name, id);
create index sites_search on sites using gin ((name || ' ' || code) gin_trgm_ops);
create index user_customers_customer on user_customers (customer_id);
create index user_sites_site on user_sites (site_id);
