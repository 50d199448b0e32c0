-- The notification bell counts unread messages, which are marked as read one by one.
drop table bell_openings;
