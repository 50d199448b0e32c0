-- The SN of a device is an OCPP identity: 1 to 48 characters of identifierString, or spaces between them. The rule is that
-- of `isSn` in packages/domain; here it keeps out what comes past the API.
alter table devices add constraint devices_sn_format check (
  sn ~ '^[A-Za-z0-9_*=:+|@.-]([A-Za-z0-9_*=:+|@. -]{0,46}[A-Za-z0-9_*=:+|@.-])?$' and sn ~ '[A-Za-z0-9]'
);
