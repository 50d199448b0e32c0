import { ANY, follow } from '../../shared/live/topics.ts';

follow(
  'link.changed',
  ['listLinks', 'readLinkOptions', 'readLink', 'listTerminals', 'listLinkActivity', 'listRecordings'],
  ANY,
);
