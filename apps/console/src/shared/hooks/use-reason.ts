import type { ExecutionRow } from '@chargehand/contract';
import { executionReasons } from '@chargehand/contract/execution-reasons';
import { useLocale } from '../i18n/use-locale.ts';

/** The text for the reason of an execution; empty while it is waiting. */
export function useReason(): (execution: Pick<ExecutionRow, 'reason'>) => string {
  const locale = useLocale();
  return ({ reason }) => (reason === null ? '' : executionReasons[reason][locale === 'zh-CN' ? 'zh' : 'en']);
}
