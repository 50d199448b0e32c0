import { modelNames } from '@chargehand/domain';
import { useCallback } from 'react';
import { useLocale } from './use-locale.ts';

type ReadModelName = <N extends string | null>(name: N) => N | string;

/** Returns the name of a device model in the language of the console. `null`, for no model, stays `null`. */
export function useModelName(): ReadModelName {
  const locale = useLocale();
  return useCallback<ReadModelName>(
    (name) => (name === null ? name : modelNames(name)[locale === 'zh-CN' ? 'zh' : 'en']),
    [locale],
  );
}
