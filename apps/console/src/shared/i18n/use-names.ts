import { faultMessage } from '@chargehand/contract/range-faults';
import type { Bilingual, Fault, RangeFault, ValueFault } from '@chargehand/domain';
import { useLocale } from './use-locale.ts';

/** Returns names and the errors of ranges and values in the language of the console. */
export function useNames() {
  const locale = useLocale();
  return {
    nameOf: (name: Bilingual) => (locale === 'zh-CN' ? name.zh : name.en),
    faultText: (problem: Fault<RangeFault | ValueFault>) => faultMessage(problem, locale),
  };
}
