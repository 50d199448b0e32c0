-- Two windows of one author: which text a draft is, so that no window overwrites one that it has not seen, and which of
-- the windows has a language open.
alter table document_drafts add column draft_id uuid not null default gen_random_uuid();

alter table document_editors add column window_id text not null default '';
alter table document_editors drop constraint document_editors_pkey;
alter table document_editors add primary key (document_id, locale, session_id, window_id);
