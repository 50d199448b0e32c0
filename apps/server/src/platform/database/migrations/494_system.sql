-- One measurement of the server per minute, for the charts of the dashboard.
create table system_samples (
  process text not null,
  at timestamptz not null,
  figures jsonb not null,
  probe_ms double precision,
  probe_failed boolean not null,
  primary key (process, at)
);

-- The history of scheduled work: the latest runs of each job. Of jobs that run every few seconds, only changes.
create table job_runs (
  id bigint generated always as identity primary key,
  process text not null,
  job text not null,
  started_at timestamptz not null,
  duration_ms double precision not null,
  error text,
  requested_by text
);
create index job_runs_job on job_runs (job, id desc);
