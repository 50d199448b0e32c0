-- Who opened a document today, so that a reader counts once a day however often the page loads it. Rows of former days
-- are deleted.
create table document_readers (
  document_id integer not null references documents on delete cascade,
  user_id integer not null references users on delete cascade,
  day date not null,
  primary key (document_id, user_id, day)
);
create index document_readers_day on document_readers (day);
create index document_readers_user on document_readers (user_id);
