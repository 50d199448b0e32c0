import { faultMessage } from '@chargehand/contract';
import {
  type Bilingual,
  type Fault,
  type Levels,
  mayEditModels,
  type RangeFault,
  type ValueFault,
} from '@chargehand/domain';
import { useLocale } from '../../shared/i18n/use-locale.ts';
import { useUser } from '../../shared/session/use-user.ts';

/** Reads names and what is wrong with a range in the language of the console. */
export function useNames() {
  const locale = useLocale();
  return {
    nameOf: (name: Bilingual) => (locale === 'zh-CN' ? name.zh : name.en),
    faultText: (problem: Fault<RangeFault | ValueFault>) => faultMessage(problem, locale),
  };
}

/** True for who may change the data model and device models; the server decides again. */
export function useEditsModels(): boolean {
  const { user, info } = useUser();
  return mayEditModels({ ...user, levels: info.role.levels as Levels });
}
