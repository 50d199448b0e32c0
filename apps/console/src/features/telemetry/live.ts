import { follow } from '../../shared/live/topics.ts';

follow('device.runtime', 'readRuntime', {
  patch: (runtime, changes, { params }) => changes.get(Number(params.id)) ?? runtime,
});
follow('device.readings', 'readSeries');
// A new quantity is rare, and readings arrive all the time.
follow('device.readings', 'listReadingItems', { again: () => 'regularly' });
follow(['device.state', 'device.details'], 'listTransactions');
follow(['device.alarms', 'device.executions'], 'listMarks');
follow('device.parameters', 'readConfiguration');
