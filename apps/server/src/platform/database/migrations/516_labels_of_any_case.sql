-- Labels of issues are found regardless of case, and by each name of an entry of the dictionary.
create function lower_labels(labels text[]) returns text[] language sql immutable parallel safe strict as
  $$ select coalesce(array_agg(lower(label)), '{}') from unnest(labels) as label $$;
drop index issues_labels;
create index issues_labels on issues using gin (lower_labels(labels));
