-- Documents: knowledge pages in two languages, with categories, versions, drafts and a search index.
create table document_categories (
  id integer generated always as identity primary key,
  parent_id integer references document_categories,
  position integer not null,
  name_en text not null,
  name_zh text not null,
  check (parent_id <> id)
);
create unique index document_categories_en on document_categories (parent_id, lower(name_en)) nulls not distinct;
create unique index document_categories_zh on document_categories (parent_id, lower(name_zh)) nulls not distinct;

create table documents (
  id integer generated always as identity primary key,
  name text not null,
  -- what it explains: 100 alarm codes, 101 parameters, 102 reading items; null: in general
  type smallint check (type in (100, 101, 102)),
  category_id integer not null references document_categories,
  icon text,
  read_level smallint not null check (read_level between 0 and 5),
  write_level smallint not null check (write_level between 0 and 5),
  enabled boolean not null default true,
  -- the name of a document that the product ships, which an upgrade may replace while nobody has changed it
  shipped text unique,
  created_at timestamptz not null default now(),
  created_by integer references users on delete set null,
  created_by_name text not null,
  updated_at timestamptz not null default now(),
  updated_by_name text not null,
  -- how often it was opened in the last 90 days, from document_reads
  reads integer not null default 0
);
create unique index documents_name on documents (lower(name));
create index documents_category on documents (category_id);
create index documents_updated on documents (updated_at desc, id desc);
create index documents_reads on documents (reads desc, id desc);

-- The codes or keys that a document explains, of one device model or of all. Its type says which kind of key.
create table document_bindings (
  document_id integer not null references documents on delete cascade,
  type smallint not null,
  key text not null,
  device_model_id integer references device_models on delete cascade,
  unique nulls not distinct (type, key, device_model_id)
);
create index document_bindings_document on document_bindings (document_id);
create index document_bindings_model on document_bindings (device_model_id) where device_model_id is not null;

-- The current text in each language.
create table document_texts (
  document_id integer not null references documents on delete cascade,
  locale text not null check (locale in ('en-US', 'zh-CN')),
  version integer not null,
  title text not null,
  description text not null default '',
  body jsonb not null,
  -- the version of the other language that it was translated from; null when it is the original
  follows integer,
  updated_at timestamptz not null default now(),
  updated_by_name text not null,
  primary key (document_id, locale)
);
create index document_texts_title on document_texts using gin (lower(title) gin_trgm_ops);

create table document_versions (
  document_id integer not null references documents on delete cascade,
  locale text not null,
  version integer not null,
  title text not null,
  description text not null,
  body jsonb not null,
  -- the version that it published again
  restored integer,
  created_at timestamptz not null default now(),
  created_by integer references users on delete set null,
  created_by_name text not null,
  primary key (document_id, locale, version)
);

-- Text that an author has not published yet. It survives a crash of the browser or the server.
create table document_drafts (
  document_id integer not null references documents on delete cascade,
  locale text not null,
  user_id integer not null references users on delete cascade,
  base_version integer not null,
  title text not null,
  description text not null,
  body jsonb not null,
  saved_at timestamptz not null default now(),
  primary key (document_id, locale, user_id)
);
create index document_drafts_user on document_drafts (user_id);

-- Who has which language open in an editor. A row is valid for 45 seconds.
create table document_editors (
  document_id integer not null references documents on delete cascade,
  locale text not null,
  session_id text not null,
  user_id integer not null references users on delete cascade,
  user_name text not null,
  seen_at timestamptz not null default now(),
  primary key (document_id, locale, session_id)
);
create index document_editors_seen on document_editors (seen_at);
create index document_editors_user on document_editors (user_id);

-- The search index: a row for each heading, because a tsvector keeps only so many positions. `terms` has pairs of
-- Chinese characters, whole words and English stems; see search-terms.ts of the domain.
create table document_sections (
  id integer generated always as identity primary key,
  document_id integer not null,
  locale text not null,
  position integer not null,
  heading text,
  anchor text,
  text text not null,
  terms tsvector not null,
  foreign key (document_id, locale) references document_texts on delete cascade
);
create index document_sections_terms on document_sections using gin (terms);
create index document_sections_document on document_sections (document_id, locale);
create index document_sections_heading on document_sections using gin (lower(heading) gin_trgm_ops)
  where heading is not null;

create table document_reads (
  document_id integer not null references documents on delete cascade,
  day date not null,
  reads integer not null,
  primary key (document_id, day)
);
create index document_reads_day on document_reads (day);

create table document_votes (
  document_id integer not null references documents on delete cascade,
  user_id integer not null references users on delete cascade,
  helped boolean not null,
  at timestamptz not null default now(),
  primary key (document_id, user_id)
);
create index document_votes_user on document_votes (user_id);
