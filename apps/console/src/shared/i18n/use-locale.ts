import type { Locale } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';

/** The language the console speaks right now. */
export function useLocale(): Locale {
  return useTranslation().i18n.language as Locale;
}
