-- The links by which reporters follow their reports are encrypted, and found by their SHA-256. Rows without a hash are
-- encrypted by the server at its next start, because only the server has the key.
alter table issue_reports rename column follow_token to sealed_follow_token;
alter table issue_reports alter column sealed_follow_token drop default;
alter table issue_reports drop constraint issue_reports_follow_token_key;
alter table issue_reports add column follow_token_hash bytea unique;
