import type { CategoryRow, DocumentRow, Locale } from '@chargehand/contract';
import { DOCUMENT_TYPES, type DocumentType } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/use-locale.ts';

export const TYPES = Object.values(DOCUMENT_TYPES);

/** The type of a document in a URL; undefined for other texts. */
export function typeOf(text: string | null | undefined): DocumentType | undefined {
  return TYPES.find((type) => String(type) === text);
}

/** The name of a category in the language of the console. */
export function useCategoryName(): (category: Pick<CategoryRow, 'nameEn' | 'nameZh'>) => string {
  const locale = useLocale();
  return ({ nameEn, nameZh }) => (locale === 'zh-CN' ? nameZh : nameEn);
}

/** The name of what a document explains; that of a free document for null. */
export function useTypeName(): (type: DocumentType | null) => string {
  const { t } = useTranslation('documents');
  return (type) => (type === null ? t('type.none') : t(`type.${type}`));
}

/** The title of a document in a list; its internal name while it has no text. */
export function titleOf({ title, name }: Pick<DocumentRow, 'title' | 'name'>): string {
  return title ?? name;
}

/** The languages in which a document has a text. */
export function localesOf({ translations }: Pick<DocumentRow, 'translations'>): Locale[] {
  return translations.filter(({ state }) => state !== 'missing').map(({ locale }) => locale);
}
