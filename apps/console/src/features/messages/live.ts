import { ANY, follow } from '../../shared/live/topics.ts';

follow('message.changed', 'listInbox', ANY);
// Every page shows the number of unread messages, and in a large fleet messages change several times per second.
follow('message.changed', 'countInbox', { ...ANY, again: () => 'later' });
