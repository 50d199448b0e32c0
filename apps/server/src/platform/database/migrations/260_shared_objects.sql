-- Copies of a file share its object, which is removed with the last of them.
alter table attachments drop constraint attachments_bucket_object_key_key;
create index attachments_object on attachments (object_key, bucket);
