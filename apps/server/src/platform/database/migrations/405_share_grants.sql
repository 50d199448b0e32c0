-- The bytes that requests of a download may send or have sent, so that ranges at the same time count before they are sent.
alter table share_uses add column granted bigint not null default 0;
update share_uses set granted = moved;
