-- Titles and names of attachments count in each section, Chinese is found by pinyin, and typing errors are corrected.
-- A job indexes the existing texts again; until then they are found as before.
alter table document_texts add column indexed boolean not null default false;
create index document_texts_to_index on document_texts (document_id) where not indexed;

-- pairs of syllables of the Chinese text, see search-sounds.ts of the domain
alter table document_sections add column sounds tsvector not null default '';
create index document_sections_sounds on document_sections using gin (sounds);

-- The words of all texts, which corrections of typing errors lead to; `keys` as in search-typos.ts of the domain. Words
-- stay when their text is gone: former versions stay as well, and a correction is only used if it finds something.
create table document_words (
  word text primary key,
  keys text[] not null
);
create index document_words_keys on document_words using gin (keys);
