import { useTranslation } from 'react-i18next';
import { isObjectType } from './objects.ts';

/** The label of a kind of object. A kind without a text is shown unchanged. */
export function useObjectWord(): (type: string) => string {
  const { t } = useTranslation('audit');
  return (type) => (isObjectType(type) ? t(`objects.${type}`) : type);
}
