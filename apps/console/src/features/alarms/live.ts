import { ANY, follow, unfiltered } from '../../shared/live/topics.ts';

follow('device.alarms', ['listAlarms', 'rankAlarms', 'readAlarmTrend']);
follow('device.alarms', 'readAlarm', ANY);
follow('device.alarms', 'summarizeAlarms', { patch: (summary, _, input) => (unfiltered(input) ? summary : null) });
follow('fleet.alarms', 'summarizeAlarms', {
  ...ANY,
  patch: (summary, changes, input) => (unfiltered(input) ? (changes.get(0) ?? null) : summary),
});
follow('device.events', 'listDeviceEvents');
