-- Words by which a name is found besides itself, such as its pinyin. Null: they are not known yet, and a job writes them.
-- Names in ASCII have none, so that an upgrade writes only the others.
alter table customers add column search_words text default '';
alter table sites add column search_words text default '';
alter table devices add column search_words text default '';
alter table users add column search_words text default '';
alter table customers alter column search_words drop default;
alter table sites alter column search_words drop default;
alter table devices alter column search_words drop default;
alter table users alter column search_words drop default;
update customers set search_words = null where name ~ '[^ -~]';
update sites set search_words = null where name ~ '[^ -~]';
update devices set search_words = null where name ~ '[^ -~]';
update users set search_words = null where nick_name ~ '[^ -~]';
create index customers_without_search_words on customers (id) where search_words is null;
create index sites_without_search_words on sites (id) where search_words is null;
create index devices_without_search_words on devices (id) where search_words is null;
create index users_without_search_words on users (id) where search_words is null;

-- The expressions of `searchText`. The columns may get collations of their own; the text has the default one.
drop index customers_search;
drop index sites_search;
drop index devices_search;
drop index users_search;
create index customers_search on customers using gin (((' ' || coalesce(code, '') || ' ' || coalesce(name, '') || ' ' ||
  coalesce(search_words, '') || ' ') collate "default") gin_trgm_ops);
create index sites_search on sites using gin (((' ' || coalesce(code, '') || ' ' || coalesce(name, '') || ' ' ||
  coalesce(search_words, '') || ' ') collate "default") gin_trgm_ops);
create index devices_search on devices using gin (((' ' || coalesce(sn, '') || ' ' || coalesce(name, '') || ' ' ||
  coalesce(search_words, '') || ' ') collate "default") gin_trgm_ops);
create index users_search on users using gin (((' ' || coalesce(user_name, '') || ' ' || coalesce(nick_name, '') || ' ' ||
  coalesce(email, '') || ' ' || coalesce(search_words, '') || ' ') collate "default") gin_trgm_ops);
