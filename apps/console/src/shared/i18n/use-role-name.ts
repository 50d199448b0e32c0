import { roleNames } from '@chargehand/domain';
import { useLocale } from './use-locale.ts';

/** Returns the name of a role in the language of the console; `null` (no role) for `null`. */
export function useRoleName(): <N extends string | null>(name: N) => N | string {
  const locale = useLocale();
  return (name) => (name === null ? name : roleNames(name)[locale === 'zh-CN' ? 'zh' : 'en']);
}
