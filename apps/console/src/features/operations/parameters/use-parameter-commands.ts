import type { ExecutionRow, NewCommand } from '@chargehand/contract';
import { EXECUTION_RESULTS } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useReason } from '../../../shared/hooks/use-reason.ts';
import { useRequestKey } from '../../../shared/hooks/use-request-key.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { waitingKeys } from '../commands/command-state.ts';
import { useExecutions } from '../executions/use-executions.ts';
import { useVerification } from '../executions/verification.tsx';
import { isOver } from './parameter-state.ts';

/** Sends parameter commands, tracks pending ones, and shows the results of those sent here. */
export function useParameterCommands(deviceId: number) {
  const { t } = useTranslation('operations');
  const executions = useExecutions(deviceId);
  const reasonOf = useReason();
  const verificationText = useVerification();
  const [given, setGiven] = useState<readonly string[]>([]);
  const withKey = useRequestKey();
  const sending = useMutation({
    mutationFn: (command: NewCommand) =>
      withKey(command, (requestKey) =>
        call('sendCommand', { params: { id: deviceId }, body: { ...command, requestKey } }, { quiet: true }),
      ),
    onSettled: () => refresh('listExecutions'),
  });
  const items = executions.data?.items;
  const over = items?.find((execution) => isOver(execution) && given.includes(execution.id));

  useEffect(() => {
    if (!over) return;
    setGiven((before) => before.filter((id) => id !== over.id));
    const sentences = [reasonOf(over), over.detail, verificationText(over)].filter(Boolean);
    showResult(over, `${t(`kinds.${over.kind}.do`)} · ${sentences.join(' ')}`);
    void refresh('listParameters', 'listParameterHistory', 'compareParameters');
  }, [over, t, reasonOf, verificationText]);

  return {
    waiting: waitingKeys(items ?? []),
    async send(command: NewCommand): Promise<void> {
      const execution = await sending.mutateAsync(command).catch((error: Error) => {
        if (command.kind !== 'setParameter') toast.error(error.message);
        throw error;
      });
      setGiven((before) => [...before, execution.id]);
    },
  };
}

function showResult(execution: ExecutionRow, text: string): void {
  const state = execution.verification?.state;
  if (execution.result === EXECUTION_RESULTS.success && state !== 'other') toast.success(text);
  else toast.error(text);
}

/** Rejections have already been shown; anything else is a programming error. */
export function showError(error: unknown): void {
  if (!(error instanceof ApiProblem)) throw error;
}
