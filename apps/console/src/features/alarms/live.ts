import { ANY, follow, unfiltered } from '../../shared/live/topics.ts';
import { withNewEvents, withOpenAlarms } from './patch-alarms.ts';

follow('device.openAlarms', 'listAlarms', {
  patch: (cached, changes, { query }) => withOpenAlarms(cached, changes, query ?? {}) as typeof cached | null,
  // A short list has room for further rows.
  again: (_, patched) => (patched ? 'later' : 'soon'),
});
// The first change is shown at once. In a fleet with faults all the time, the list does not jump with each of them.
follow('device.openAlarms', 'listIncidents', { ...ANY, again: () => 'regularly' });
// Figures per day.
follow('device.alarms', ['rankAlarms', 'readAlarmTrend'], { again: () => 'rarely' });
follow('device.alarms', 'readAlarm', ANY);
follow('device.alarms', 'summarizeAlarms', { patch: (summary, _, input) => (unfiltered(input) ? summary : null) });
follow('fleet.alarms', 'summarizeAlarms', {
  ...ANY,
  patch: (summary, changes, input) => (unfiltered(input) ? (changes.get(0) ?? null) : summary),
});
follow('device.events', 'listDeviceEvents', {
  patch: (cached, changes, { query }) => withNewEvents(cached, changes, query ?? {}) as typeof cached | null,
});
follow('fleet.siteStates', 'listSiteEvents', { ...ANY, again: () => 'rarely' });
