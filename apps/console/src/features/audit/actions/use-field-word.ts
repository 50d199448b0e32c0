import { loggedField, loggedValue } from '@chargehand/contract/logged-texts';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/use-locale.ts';

/** The label of a logged field. */
export function useFieldWord(): (path: string) => string {
  const locale = useLocale();
  return (path) => loggedField(path, locale);
}

/** The text of a logged value; null for values that are shown unchanged. */
export function useValueWord(): (path: string, value: unknown) => string | null {
  const locale = useLocale();
  return (path, value) => loggedValue(path, value, locale);
}

/** The label of a kind of command. A kind without a text is shown unchanged. */
export function useKindWord(): (kind: string) => string {
  const { t, i18n } = useTranslation('operations');
  return (kind) => (i18n.exists(`operations:kinds.${kind}.do`) ? t(`kinds.${kind as 'softReset'}.do`) : kind);
}
