import { follow } from '../../shared/live/topics.ts';

follow('device.runtime', 'readRuntime', {
  patch: (runtime, changes, { params }) => changes.get(Number(params.id)) ?? runtime,
});
follow('device.readings', ['readSeries', 'listReadingItems']);
follow(['device.state', 'device.details'], 'listTransactions');
follow(['device.alarms', 'device.executions'], 'listMarks');
follow('device.parameters', 'readConfiguration');
