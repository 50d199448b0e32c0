import { nextExecution } from '@chargehand/domain';
import type { ExecutionProgress } from '../../ports/uplink.ts';
import { type End, lockExecutions, type QueryClient, writeEnds, writeWorking } from '../executions.store.ts';

/**
 * Stores what gateways know of executions without an answer, in the transaction of the report: an execution that its
 * device is working on gets more time and is no longer in flight, so that other commands can be sent meanwhile, and one whose answer cannot arrive any more ends immediately with the cause. A
 * report about an ended execution, or one of another device, changes nothing.
 */
export async function storeProgress(client: QueryClient, progress: ExecutionProgress[]): Promise<void> {
  const locked = await lockExecutions(client, [...new Set(progress.map((report) => report.executionId))]);
  const working: ExecutionProgress[] = [];
  const ends: End[] = [];
  for (const execution of locked) {
    const { executionId, deviceId } = execution;
    const own = progress.filter((report) => report.executionId === executionId && report.deviceId === deviceId);
    const last = own.find(({ state }) => state !== 'working');
    if (!last) {
      if (nextExecution(execution, { type: 'working' })) working.push(...own.slice(-1));
      continue;
    }
    const { at, detail } = last;
    const reason = last.state === 'noAnswer' ? 'noAnswer' : 'connectionLost';
    const next = nextExecution(execution, { type: 'unanswered', reason });
    if (next) ends.push({ executionId, execution: next, at, detail, answer: null });
  }
  await writeWorking(client, working);
  await writeEnds(client, ends);
}
