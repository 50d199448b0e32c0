import { issueLabelNames } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryOf } from '../api/query.ts';
import { useLocale } from './use-locale.ts';

/** Names change rarely, and the live stream announces it. */
const FRESH_MS = 60_000;

/**
 * The names of the labels of issues: those of the dictionary in the language of the user, and typed ones as they are.
 * `entries`: the dictionary in its order. Until it is loaded, its labels are shown with their codes.
 */
export function useLabelNames() {
  const locale = useLocale();
  const { data } = useQuery({ ...queryOf('readDictionaryNames', {}, { quiet: true }), staleTime: FRESH_MS });
  const entries = data?.labels;
  return useMemo(() => {
    const names = issueLabelNames(entries ?? []);
    return {
      entries: entries ?? [],
      stored: names.stored,
      codeOf: names.codeOf,
      nameOf: (label: string) => names.nameOf(label)[locale === 'zh-CN' ? 'zh' : 'en'],
    };
  }, [entries, locale]);
}
