-- Visitors of a new share of an issue read only later comments, unless the earlier ones are chosen. Shares until now show all.
alter table shares add column earlier boolean not null default false;
update shares set earlier = true where issue_id is not null;
