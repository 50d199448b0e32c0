-- What a manufacturer signed a firmware file with, as people entered it and the server checked it against the file.
alter table firmware_files
  -- one X.509 certificate in PEM
  add column signing_certificate text check (length(signing_certificate) <= 5500),
  -- over the whole file with SHA-256; base64
  add column signature text check (length(signature) <= 800),
  -- of the certificate: its subject, and the end of its validity
  add column signed_by text,
  add column signed_until timestamptz,
  add constraint firmware_signing check (num_nulls(signing_certificate, signature, signed_by, signed_until) in (0, 4));
