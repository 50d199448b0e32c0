import { ANY, follow } from '../../shared/live/topics.ts';

// The number in the event contains messages about places that the user no longer sees.
follow('message.changed', ['countInbox', 'listInbox'], ANY);
