import type { DocumentRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Tag } from '../../../shared/ui/tags/tag.tsx';
import css from '../documents.module.css';

/** The languages of a document: which exist, which are missing, and which are older than the other one. */
export function TranslationTags({ of }: { of: Pick<DocumentRow, 'translations'> }) {
  const { t } = useTranslation('documents');
  return (
    <span className={css.tags}>
      {of.translations.map(({ locale, state }) => {
        const language = t(`language.${locale}`);
        if (state === 'current') {
          return (
            <Tag key={locale} tone="plain" glyph="check">
              {language}
            </Tag>
          );
        }
        return (
          <Tag
            key={locale}
            tone={state === 'missing' ? 'disabled' : 'firmware-update'}
            glyph={state === 'missing' ? 'cross' : 'clock'}
            title={t(`translation.${state}Hint`)}
          >
            {t(`translation.${state}Of`, { language })}
          </Tag>
        );
      })}
    </span>
  );
}
