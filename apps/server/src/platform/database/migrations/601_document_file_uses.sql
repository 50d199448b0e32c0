-- A document that no longer shows a file ends its use: its readers lose the file. The row stays, so that restoring a former
-- version can give the file again, if its editor may. Files that no current text shows are taken back.
alter table attachment_uses add column ended_at timestamptz;
update attachment_uses u set ended_at = now()
 where u.kind = 'document' and not exists (
   select from document_texts t, jsonb_path_query(t.body, '$.**.attrs.file') file
    where t.document_id = u.object_id and file #>> '{}' = u.attachment_id::text);
