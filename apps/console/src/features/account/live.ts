import { ANY, follow } from '../../shared/live/topics.ts';

follow('user.sessions', 'listOwnSessions', ANY);
