const files = import.meta.glob<Record<string, unknown>>(
  ['../../locales/*/*.json', '!../../locales/*/{access,common,routes}.json'],
  { import: 'default' },
);

/** Loads a locale file that not every page needs; undefined when there is none. */
export function readWords(locale: string, room: string): Promise<Record<string, unknown>> | undefined {
  return files[`../../locales/${locale}/${room}.json`]?.();
}
