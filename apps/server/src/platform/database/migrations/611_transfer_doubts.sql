-- Evidence against a running transfer (TransferDoubt), and when it ends the transfer unless the device goes on.
alter table transfers add column doubt text, add column doubted_until timestamptz;
create index transfers_doubted on transfers (doubted_until) where ended_at is null and doubt is not null;

-- The result for the user who sent the command; the same as `outcomeOf` of the domain. A response that cannot be read says
-- nothing about the file.
create function execution_outcome(state text, result smallint, reason text, file text) returns smallint
language sql immutable as $$
  select case when state <> 'ended' or file is null then result
              when file = 'done' then 2::smallint
              when result <> 2 and reason is distinct from 'badAnswer' then result
              when file = 'underWay' then 1::smallint
              when file = 'failed' then 3::smallint
              else 4::smallint end
$$;
create or replace function batch_count(state text, result smallint, reason text, refused boolean, file text) returns text
language sql immutable as $$
  select case when refused then 'refused'
              when state = 'queued' then 'queued'
              when reason in ('cancelled', 'batchStopped') then 'cancelled'
              else case execution_outcome(state, result, reason, file)
                     when 1 then 'inFlight'
                     when 2 then 'succeeded'
                     when 4 then 'timedOut'
                     when 5 then 'offline'
                     else 'failed' end end
$$;
drop function execution_outcome(text, smallint, text);
