import { ClockCircleOutlined } from '@ant-design/icons';
import type { DocumentDetail, Locale } from '@chargehand/contract';
import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { localesOf } from '../shared/names.ts';

/** Changes the language of a document that has several. */
export function LanguageSwitch({ document }: { document: DocumentDetail }) {
  const { t } = useTranslation('documents');
  const choose = useChosenLocale();
  const locales = localesOf(document);
  if (locales.length < 2 || document.locale === null) return null;
  return (
    <Segmented<Locale>
      aria-label={t('reader.language')}
      value={document.locale}
      onChange={choose}
      options={locales.map((value) => {
        const label = t(`language.${value}`);
        const { state } = document.translations.find((one) => one.locale === value)!;
        return { value, label: state === 'outdated' ? <Outdated language={label} /> : label };
      })}
    />
  );
}

/** A language whose text is older than the other one. */
function Outdated({ language }: { language: string }) {
  const { t } = useTranslation('documents');
  return (
    <span title={t('translation.outdatedHint')}>
      <ClockCircleOutlined aria-hidden="true" /> {t('translation.outdatedOf', { language })}
    </span>
  );
}

/** Says that a text is not in the reader's language, or older than the other language. */
export function LanguageNote({ document }: { document: DocumentDetail }) {
  const { t } = useTranslation('documents');
  const own = useLocale();
  const choose = useChosenLocale();
  const { locale, translations } = document;
  if (locale === null) return null;
  const language = t(`language.${locale}`);
  const missing = translations.find((one) => one.locale === own)?.state === 'missing';
  if (missing) return <p className="warning-note">{t('reader.otherLanguage', { language })}</p>;
  const outdated = translations.find((one) => one.locale === locale)?.state === 'outdated';
  const other = localesOf(document).find((one) => one !== locale);
  if (!outdated || !other) return null;
  return (
    <p className="warning-note">
      {t('reader.outdated', { language, other: t(`language.${other}`) })}{' '}
      <button type="button" className="text-button" onClick={() => choose(other)}>
        {t('reader.showOther', { language: t(`language.${other}`) })}
      </button>
    </p>
  );
}

/** Stores the language of the document in the URL; the reader's own needs no entry. */
function useChosenLocale(): (locale: Locale) => void {
  const own = useLocale();
  const [, setSearch] = useSearchParams();
  return (locale) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (locale === own) next.delete('locale');
        else next.set('locale', locale);
        return next;
      },
      { replace: true },
    );
}
