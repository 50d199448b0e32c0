-- The links of QR codes are encrypted, and found by their SHA-256. Rows with a token and without a hash are encrypted by the
-- server at its next start, because only the server has the key. A new row has no token until somebody sees its link.
alter table report_links rename column token to sealed_token;
alter table report_links drop constraint report_links_pkey;
alter table report_links alter column sealed_token drop not null, alter column sealed_token drop default;
alter table report_links add column id integer generated always as identity primary key;
alter table report_links add column token_hash bytea unique;
create index report_links_plain on report_links (id) where token_hash is null and sealed_token is not null;
