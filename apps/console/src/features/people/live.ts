import { ANY, follow } from '../../shared/live/topics.ts';

follow(['user.sessions', 'customer.sessions'], 'listOnline', ANY);
