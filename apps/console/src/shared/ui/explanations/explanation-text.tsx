import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLocale } from '../../i18n/use-locale.ts';
import type { FoundExplanation } from './explanation-props.ts';
import css from './explanations.module.css';

/** The short answer of a document, with a link to the whole one. */
export function ExplanationText({ of: { key, title, description, locale }, type, deviceModelId }: FoundExplanation) {
  const { t } = useTranslation('explanations');
  const own = useLocale();
  const query = new URLSearchParams({ code: key });
  if (typeof deviceModelId === 'number') query.set('deviceModelId', String(deviceModelId));
  return (
    <div className={css.text}>
      <strong lang={locale}>{title}</strong>
      {description && <p lang={locale}>{description}</p>}
      {locale !== own && <p className="quiet">{t('otherLanguage')}</p>}
      <Link to={`/manage/docs/detail/type/${type}?${query}`}>{t('more')}</Link>
    </div>
  );
}
