-- Problems are announced by their kind. Messages about the former conditions end: what still holds is announced again.
insert into notices (type, key, ended, subject_kind, subject_id, data)
select 'system', key, true, 'system', split_part(key, ' ', 1), jsonb_build_object('event', split_part(key, ' ', 1))
  from unnest(array['diskNearlyFull ', 'certificateExpires data/tls', 'certificateExpires CHARGEHAND_TLS_CERT',
                    'certificateExpires CHARGEHAND_TLS_CLIENT_CA', 'certificateExpires CHARGEHAND_OCPP_SIGNING_CERT']) key
 where exists (select from incidents where type = 'system' and closed_at is null);

update incidents set data = jsonb_set(data, '{event}', '"diskFull"')
 where type = 'system' and data ->> 'event' = 'diskNearlyFull';

create index application_webhooks_failing on application_webhooks (failing_since) where failing_since is not null;
