import { ANY, follow, unfiltered } from '../../shared/live/topics.ts';
import { withOpenAlarms } from './patch-alarms.ts';

follow('device.openAlarms', 'listAlarms', {
  patch: (cached, changes, { query }) => withOpenAlarms(cached, changes, query ?? {}) as typeof cached | null,
  // A short list has room for further rows.
  again: (_, patched) => (patched ? 'later' : 'soon'),
});
follow('device.openAlarms', 'listIncidents', { ...ANY, again: () => 'soon' });
// Figures per day.
follow('device.alarms', ['rankAlarms', 'readAlarmTrend'], { again: () => 'later' });
follow('device.alarms', 'readAlarm', ANY);
follow('device.alarms', 'summarizeAlarms', { patch: (summary, _, input) => (unfiltered(input) ? summary : null) });
follow('fleet.alarms', 'summarizeAlarms', {
  ...ANY,
  patch: (summary, changes, input) => (unfiltered(input) ? (changes.get(0) ?? null) : summary),
});
follow('device.events', 'listDeviceEvents');
follow('fleet.siteStates', 'listSiteEvents', { ...ANY, again: () => 'later' });
