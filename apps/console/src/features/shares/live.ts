import { ANY, follow } from '../../shared/live/topics.ts';

follow('share.changed', 'listShares', ANY);
follow('share.changed', ['readShare', 'listShareUses']);
// A share shows the name of its file or folder, and is not available while it is in the trash.
follow(['customer.attachments', 'platform.attachments'], ['listShares', 'readShare'], ANY);
