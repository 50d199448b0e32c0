-- The company that operates the grid at a site, which is called about outages and meters.
alter table sites add column grid_operator text not null default '';
