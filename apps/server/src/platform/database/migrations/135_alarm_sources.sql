-- Who says that an alarm goes on, and so who can say that it is over: a connector's status report, the device by an
-- alarm of its own, a rule on readings, or the line. An event follows its alarm.
alter table alarms add column source text not null default 'status'
  check (source in ('device', 'line', 'rule', 'status'));
update alarms set source = 'line' where kind = 'offline';
alter table device_events add column source text not null default 'status'
  check (source in ('device', 'line', 'rule', 'status'));
update device_events set source = 'line' where type = 0;
