-- The links and access codes of shares are encrypted, and found by the SHA-256 of the link. Rows without a hash are
-- encrypted by the server at its next start, because only the server has the key.
alter table shares rename column token to sealed_token;
alter table shares rename column code to sealed_code;
alter table shares drop constraint shares_token_key;
alter table shares add column token_hash bytea unique;
