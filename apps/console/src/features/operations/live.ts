import { ANY, follow } from '../../shared/live/topics.ts';
import { withNewestExecutions } from './patch-executions.ts';

// The server checks preconditions again.
follow('device.state', 'listControls', { again: () => 'later' });
follow('device.newestExecutions', 'listExecutions', {
  patch(page, changes, { params, query }) {
    const newest = changes.get(Number(params.id));
    return newest ? withNewestExecutions(page, newest, query ?? {}) : page;
  },
});
follow(['device.executions', 'device.transfers'], 'readExecution');
follow('device.executions', ['listBatches', 'readBatch'], ANY);
follow(['device.executions', 'device.transfers'], 'listBatchExecutions', ANY);
follow('device.parameters', ['listParameters', 'listParameterHistory', 'compareParameters']);
