-- Pictures are objects of the store; a row keeps the key of its own copy, which no other row has.
alter table customers add column logo text;
alter table sites add column image text;
alter table users add column avatar text;
create unique index customers_logo on customers (logo) where logo is not null;
create unique index sites_image on sites (image) where image is not null;
create unique index users_avatar on users (avatar) where avatar is not null;

-- How often a network address asked for keys to upload without being signed in; shared by all nodes.
create table anonymous_uploads (
  key varchar(255) primary key,
  points integer not null default 0,
  -- epoch milliseconds
  expire bigint
);
create index anonymous_uploads_expire on anonymous_uploads (expire);
