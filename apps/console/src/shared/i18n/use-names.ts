import { faultMessage } from '@chargehand/contract/range-faults';
import {
  type Bilingual,
  type EnumEntry,
  type Fault,
  type ItemType,
  labelIn,
  type RangeFault,
  rangeSummary,
  type ValueFault,
} from '@chargehand/domain';
import { useLocale } from './use-locale.ts';

/** Returns names and the errors of ranges and values in the language of the console. */
export function useNames() {
  const locale = useLocale();
  const language: keyof Bilingual = locale === 'zh-CN' ? 'zh' : 'en';
  return {
    /** the language of values, for functions of the domain */
    language,
    /** the options of a control for an enumeration */
    entryOptions: (entries: readonly EnumEntry[]) =>
      entries.map(({ label, value }) => ({ value, label: labelIn(label, language) })),
    /** a range of an item in a list */
    rangeOf: (type: ItemType, range: string) => rangeSummary(type, range, language),
    nameOf: (name: Bilingual) => name[language],
    faultText: (problem: Fault<RangeFault | ValueFault>) => faultMessage(problem, locale),
  };
}
