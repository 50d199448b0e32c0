import { ANY, follow } from '../../shared/live/topics.ts';

follow(
  ['customer.attachments', 'platform.attachments'],
  ['listAttachments', 'listFolders', 'readAttachment', 'readQuota'],
  ANY,
);
