-- Of regions: the code of the region that an entry is part of; null for countries and in other dictionaries.
alter table dictionary_entries add column parent text;
create index dictionary_entries_parent on dictionary_entries (parent) where parent is not null;
