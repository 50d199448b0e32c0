import { useTranslation } from 'react-i18next';
import { isObjectType } from './objects.ts';

/** What a kind of thing is called; a kind without a word is shown as it came. */
export function useObjectWord(): (type: string) => string {
  const { t } = useTranslation('audit');
  return (type) => (isObjectType(type) ? t(`objects.${type}`) : type);
}
