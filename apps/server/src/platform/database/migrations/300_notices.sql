-- Notices: what users may have to be notified of, written in the transaction of its cause. The messages module turns
-- them into messages and removes them. No references, because a notice outlives its object.
create table notices (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  type text not null,
  key text not null,
  ended boolean not null default false,
  subject_kind text not null,
  subject_id text not null,
  customer_id integer,
  site_id integer,
  device_id integer,
  level text check (level in ('OA', 'MA', 'CA')),
  actor_id integer,
  -- null: everybody in scope
  user_ids integer[],
  data jsonb not null default '{}'
);

create function notify_notices() returns trigger language plpgsql as $$
begin
  perform pg_notify('notices', '');
  return null;
end
$$;
create trigger notices_notify after insert on notices for each statement execute function notify_notices();
