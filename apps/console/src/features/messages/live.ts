import { ANY, follow } from '../../shared/live/topics.ts';

follow('message.changed', ['countInbox', 'listInbox'], ANY);
