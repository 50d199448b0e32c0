import { ANY, follow } from '../../shared/live/topics.ts';

follow(
  'link.changed',
  ['listLinks', 'readLinkOptions', 'readLink', 'listTerminals', 'listPageGuests', 'listLinkActivity', 'listRecordings'],
  ANY,
);
follow('link.activity', 'listLinkActivity');
