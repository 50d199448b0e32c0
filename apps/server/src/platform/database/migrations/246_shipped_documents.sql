-- What the product ships: its categories, and the text of each document that it stored last. A key without a document
-- is one that an operator deleted.
alter table document_categories add column shipped text unique;

create table shipped_texts (
  key text not null,
  locale text not null,
  -- SHA-256 of the file
  hash text not null,
  -- the version with which it was published
  version integer not null,
  primary key (key, locale)
);
