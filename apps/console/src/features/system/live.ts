import { ANY, follow } from '../../shared/live/topics.ts';

follow('system.changed', ['readSystem', 'listJobs', 'listJobRuns'], { ...ANY, again: () => 'soon' });
follow('system.changed', 'readSystemHistory', { ...ANY, again: () => 'later' });
