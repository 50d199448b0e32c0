-- Where a reply to a mail goes; null: replies are not read.
alter table outgoing_mails add column reply_to text;
