import { awaitsLateAnswer, confirmationAfter, nextExecution } from '@chargehand/domain';
import type { ExecutionAnswer } from '../../ports/uplink.ts';
import {
  type End,
  lockExecutions,
  type QueryClient,
  writeAccepted,
  writeEnds,
  writeLateAnswers,
} from '../executions.store.ts';
import { noteReadBacks, queueReadBacks } from './verification.store.ts';

/** An execution that a response changed. */
export interface AnsweredExecution {
  deviceId: number;
  executionId: string;
}

/**
 * Ends the executions that devices responded to, or notes that they accepted a command whose result they report later,
 * in the transaction that stores the responses. A response to an ended execution is noted beside its result. A
 * repeated, unknown or foreign response changes nothing. After a parameter was set, it is read back. Returns the
 * changes, to be published after the commit.
 */
export async function storeAnswers(client: QueryClient, answers: ExecutionAnswer[]): Promise<AnsweredExecution[]> {
  if (answers.length === 0) return [];
  const locked = await lockExecutions(client, [...new Set(answers.map((answer) => answer.executionId))]);
  const ends: End[] = [];
  const accepted: Parameters<typeof writeAccepted>[1] = [];
  const late: { executionId: string; at: Date; answer: unknown }[] = [];
  const changed: AnsweredExecution[] = [];
  for (const execution of locked) {
    const { executionId, deviceId } = execution;
    const given = answers.find((one) => one.executionId === executionId && one.deviceId === deviceId);
    if (!given) continue;
    const { success, reason, detail } = given;
    const confirmation = confirmationAfter(execution.kind, reason);
    const confirmedBy = confirmation?.by ?? null;
    const next = nextExecution(execution, { type: 'answered', success, reason, confirmedBy });
    if (next?.state === 'accepted' && confirmation)
      accepted.push({ executionId, execution: next, detail, answer: given.answer, withinMs: confirmation.withinMs });
    else if (next)
      ends.push({ executionId, execution: next, at: given.at, detail: given.detail, answer: given.answer });
    else if (awaitsLateAnswer(execution) && execution.lateAnswerAt === null)
      late.push({ executionId, at: given.at, answer: given.answer });
    else continue;
    changed.push({ deviceId, executionId });
  }
  await writeEnds(client, ends);
  await writeAccepted(client, accepted);
  await writeLateAnswers(client, late);
  const succeeded = ends.filter(({ execution }) => execution.result === 'success').map((end) => end.executionId);
  await queueReadBacks(client, succeeded);
  await noteReadBacks(client, succeeded);
  return changed;
}
