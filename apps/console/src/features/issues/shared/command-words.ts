import { useTranslation } from 'react-i18next';

/** The result of an execution as a word (spec §4). */
const RESULTS = { 1: 'waiting', 2: 'success', 3: 'failure', 4: 'timeout', 5: 'offline' } as const;

/** The names of commands and results in stored texts, which may be of another version of the product. */
export function useCommandWords(): { nameOf(kind: string): string; resultOf(result: number): string } {
  const { t } = useTranslation();
  const { t: operations, i18n } = useTranslation('operations');
  return {
    nameOf(kind) {
      const key = `kinds.${kind}.do`;
      return i18n.exists(key, { ns: 'operations' }) ? operations(key as 'kinds.softReset.do') : kind;
    },
    resultOf(result) {
      const word = RESULTS[result as keyof typeof RESULTS];
      return word === undefined ? String(result) : t(`executionResult.${word}`);
    },
  };
}
