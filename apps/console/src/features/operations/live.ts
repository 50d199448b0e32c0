import { ANY, follow } from '../../shared/live/topics.ts';

follow('device.state', 'listControls');
follow(['device.executions', 'device.transfers'], ['listExecutions', 'readExecution']);
follow('device.executions', ['listBatches', 'readBatch'], ANY);
follow(['device.executions', 'device.transfers'], 'listBatchExecutions', ANY);
follow('device.parameters', ['listParameters', 'listParameterHistory', 'compareParameters']);
