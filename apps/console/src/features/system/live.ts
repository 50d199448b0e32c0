import { ANY, follow } from '../../shared/live/topics.ts';

follow(
  'system.changed',
  ['readSystem', 'listJobs', 'listJobRuns', 'listSystemParameters', 'listSystemParameterChanges'],
  { ...ANY, again: () => 'soon' },
);
follow('branding.changed', 'readBranding', ANY);
follow('system.changed', ['countSystemProblems', 'readSystemHistory'], { ...ANY, again: () => 'later' });
