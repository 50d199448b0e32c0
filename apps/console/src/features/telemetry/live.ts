import { follow } from '../../shared/live/topics.ts';

follow(['device.state', 'device.readings', 'device.parameters'], 'readRuntime');
follow('device.readings', ['readSeries', 'listReadingItems']);
follow(['device.state', 'device.details'], 'listTransactions');
follow(['device.alarms', 'device.executions'], 'listMarks');
follow('device.parameters', 'readConfiguration');
