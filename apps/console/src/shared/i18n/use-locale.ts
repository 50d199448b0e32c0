import type { Locale } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';

/** The current language of the console. */
export function useLocale(): Locale {
  return useTranslation().i18n.language as Locale;
}
