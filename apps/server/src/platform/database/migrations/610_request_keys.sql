-- Requests with an Idempotency-Key, so that a repeated one is not executed twice. The row is written by the transaction
-- that makes the change. The key itself is not stored: it opens the answer.
create table request_keys (
  key_hash bytea primary key,
  fingerprint bytea not null,
  answer text,
  created_at timestamptz not null default now()
);
create index request_keys_created_at on request_keys (created_at);
