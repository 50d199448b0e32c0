import type { Locale } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import css from '../documents.module.css';

/** Marks a text that is not in the reader's language; nothing for one that is. */
export function LanguageTag({ of }: { of: Locale | null }) {
  const { t } = useTranslation('documents');
  const own = useLocale();
  if (of === null || of === own) return null;
  return <span className={css.mark}>{t(`language.${of}`)}</span>;
}
