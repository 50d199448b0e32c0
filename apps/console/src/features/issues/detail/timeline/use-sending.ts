import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../../../shared/api/problem.ts';

/** A request with a text. `problem` is the reason of a failure, which is shown while the text is kept. */
export function useSending(run: () => Promise<void>) {
  const { t } = useTranslation();
  const sending = useMutation({ mutationFn: run });
  const problem =
    sending.error instanceof ApiProblem
      ? sending.error.message || t('com_error_net')
      : sending.error
        ? t('com_error_system')
        : null;
  return { sending: sending.isPending, problem, send: () => sending.mutate(), reset: sending.reset };
}
