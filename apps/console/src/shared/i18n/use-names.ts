import { faultMessage } from '@chargehand/contract/range-faults';
import type { Bilingual, Fault, RangeFault, ValueFault } from '@chargehand/domain';
import { useLocale } from './use-locale.ts';

/** Reads names and what is wrong with a range or a value in the language of the console. */
export function useNames() {
  const locale = useLocale();
  return {
    nameOf: (name: Bilingual) => (locale === 'zh-CN' ? name.zh : name.en),
    faultText: (problem: Fault<RangeFault | ValueFault>) => faultMessage(problem, locale),
  };
}
