-- The server that stores an import, so that a starting one ends only its own. Rows of before belong to the only server.
alter table token_imports add column node text not null default 'main';
alter table token_imports alter column node drop default;
create index token_imports_running on token_imports (node) where state = 'running';
