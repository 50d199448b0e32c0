-- The files of the list, with the columns that decide who sees them: the total is counted from the index alone.
create index attachments_listed on attachments (read_level, customer_id, site_id) include (folder_id, id)
  where deleted_at is null and not draft;
