import { ANY, follow } from '../../shared/live/topics.ts';

follow('device.frames', 'listFrames');
follow('fleet.frames', 'listFleetFrames', ANY);
// A storm of errors changes the list once a second.
follow('errors.changed', ['listErrors', 'readError'], { ...ANY, again: () => 'regularly' });
