-- The first section of a text has its title and summary. A search for a common word reads these first, so that a text of
-- that title is among those that are ranked.
create index document_sections_first on document_sections using gin (terms) where position = 0;
create index document_sections_first_sounds on document_sections using gin (sounds) where position = 0;

-- For readers of few documents: the first sections of each, instead of reading the index of words for every document.
create index document_sections_first_document on document_sections (document_id) where position = 0;
