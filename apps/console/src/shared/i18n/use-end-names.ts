import { ISSUE_CAUSES, ISSUE_REMEDIES } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../api/client.ts';
import { queryOf } from '../api/query.ts';
import { useLocale } from './use-locale.ts';

/** Names change rarely, and the live stream announces it. */
const FRESH_MS = 60_000;

/**
 * The names of causes and remedies, which an installation can change and add to, and those that can be chosen. Until they
 * are loaded, the shipped ones.
 */
export function useEndNames() {
  const { t } = useTranslation('issues');
  const locale = useLocale();
  const { data } = useQuery({ ...queryOf('readDictionaryNames', {}, { quiet: true }), staleTime: FRESH_MS });
  const dictionary = <W extends string>(
    entries: Answer<'readDictionaryNames'>['causes'] = [],
    shipped: readonly W[],
    word: (code: W) => string,
  ) => {
    const names = new Map(entries.map((one) => [one.code, locale === 'zh-CN' ? one.nameZh : one.nameEn]));
    const nameOf = (code: string) => names.get(code) ?? (includes(shipped, code) ? word(code) : code);
    const codes = names.size === 0 ? shipped : entries.filter(({ enabled }) => enabled).map(({ code }) => code);
    return { nameOf, options: codes.map((code) => ({ value: code as string, label: nameOf(code) })) };
  };
  return {
    causes: dictionary(data?.causes, ISSUE_CAUSES, (code) => t(`cause.${code}`)),
    remedies: dictionary(data?.remedies, ISSUE_REMEDIES, (code) => t(`remedy.${code}`)),
  };
}

function includes<W extends string>(words: readonly W[], code: string): code is W {
  return (words as readonly string[]).includes(code);
}
