-- A document belongs to a customer, whose users read and edit it, or to the platform (null): read by all, edited by users
-- of the platform vendor. Existing documents belong to the customer of the user who created them; those that the product
-- ships, that a user of the platform vendor created, or whose creator was deleted belong to the platform.
alter table documents add column customer_id integer references customers on delete cascade;
update documents d set customer_id = c.id
  from users u join customers c on c.id = u.customer_id
 where u.id = d.created_by and d.shipped is null and not c.platform_vendor;
create index documents_customer on documents (customer_id) where customer_id is not null;

-- Names and explained codes of one customer say nothing to another.
drop index documents_name;
create unique index documents_name on documents (customer_id, lower(name)) nulls not distinct;

alter table document_bindings add column customer_id integer;
update document_bindings b set customer_id = d.customer_id
  from documents d where d.id = b.document_id and d.customer_id is not null;
alter table document_bindings drop constraint document_bindings_type_key_device_model_id_key;
create unique index document_bindings_owner on document_bindings (type, key, device_model_id, customer_id)
  nulls not distinct;

-- Pictures and files that were added for a document belong to its customer, as long as no other document uses them and
-- the customer has no file of the name outside of folders.
update attachments a set customer_id = d.customer_id
  from attachment_uses u join documents d on d.id = u.object_id
 where u.kind = 'document' and u.attachment_id = a.id and d.customer_id is not null and a.customer_id is null
   and a.folder_id is null and a.firmware_id is null and a.device_log_id is null and a.deleted_at is null
   and not exists (select from attachment_uses o where o.attachment_id = a.id
                      and (o.kind, o.object_id) <> (u.kind, u.object_id))
   and not exists (select from attachments o
                    where o.customer_id = d.customer_id and o.folder_id is null and o.name_key = a.name_key
                      and o.deleted_at is null);
