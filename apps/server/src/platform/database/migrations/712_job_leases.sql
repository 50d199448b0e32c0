-- Which process runs a scheduled job. A lease is renewed with that of its node.
create table job_leases (
  job text primary key,
  -- of the node
  epoch bigint not null,
  renewals bigint not null default 0,
  -- the end of the first failed run since the last success
  failing_since timestamptz,
  running_since timestamptz,
  next_at timestamptz
);
create index job_leases_epoch on job_leases (epoch);
