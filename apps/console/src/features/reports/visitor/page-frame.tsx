import { LOCALES } from '@chargehand/contract/constants';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useProductName } from '../../../shared/branding/branding.ts';
import { chooseLocale } from '../../../shared/i18n/i18n.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { Logo, ProductName } from '../../../shared/ui/page/logo.tsx';
import styles from './report.module.css';

/** The page around a report, without the component library, so that it loads quickly on a phone. */
export function PageFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation('report');
  const locale = useLocale();
  const product = useProductName();
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
  return (
    <div className={styles.page}>
      <header className={styles.brand}>
        <Logo size={24} />
        <ProductName />
        <span className={styles.languages}>
          {LOCALES.map((key) => (
            <button
              type="button"
              key={key}
              lang={key}
              className={styles.link}
              aria-pressed={key === locale}
              onClick={() => void chooseLocale(key)}
            >
              {t(`language.${key}`)}
            </button>
          ))}
        </span>
      </header>
      <main className={styles.card}>{children}</main>
    </div>
  );
}
