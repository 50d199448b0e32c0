import { objectText } from '@chargehand/contract/logged-texts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';

/** The label of a kind of object. A kind without a text is shown unchanged. */
export function useObjectWord(): (type: string) => string {
  const locale = useLocale();
  return (type) => objectText(type, locale);
}
