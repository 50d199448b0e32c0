-- After how many minutes incidents of a customer that nobody has taken on are passed to the substitutes.
create table on_call_settings (
  customer_id integer primary key references customers on delete cascade,
  escalate_minutes smallint not null check (escalate_minutes between 5 and 240)
);
