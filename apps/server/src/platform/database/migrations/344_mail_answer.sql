-- What the mail server answered when it accepted a mail. Administrators find the mail with it in the log of that server.
alter table outgoing_mails add column answer text;
