import { ANY, follow } from '../../shared/live/topics.ts';

follow('device.alarms', ['listAlarms', 'summarizeAlarms', 'rankAlarms', 'readAlarmTrend']);
follow('device.alarms', 'readAlarm', ANY);
follow('device.events', 'listDeviceEvents');
