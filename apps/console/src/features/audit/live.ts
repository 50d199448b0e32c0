import { follow } from '../../shared/live/topics.ts';

follow('device.frames', 'listFrames');
