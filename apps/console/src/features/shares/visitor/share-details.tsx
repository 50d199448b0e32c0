import type { OpenedShare } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import styles from './share-page.module.css';

const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const TIME = { ...DAY, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

/** Who shares it, until when, and how often it can still be used. */
export function ShareDetails({ content }: { content: NonNullable<OpenedShare['content']> }) {
  const { t } = useTranslation('share');
  const locale = useLocale();
  const { owner, note, expiresAt, usesLeft, bytesLeft, kind } = content;
  // Visitors may be anywhere: their own time zone, with its name.
  const time = new Intl.DateTimeFormat(locale, TIME);
  return (
    <>
      {note !== '' && <p className={styles.note}>{note}</p>}
      <ul className={styles.details}>
        <li>{t('owner', { owner })}</li>
        <li>{expiresAt === null ? t('permanent') : t('until', { time: time.format(new Date(expiresAt)) })}</li>
        {usesLeft !== null && (
          <li>{kind === 'upload' ? t('filesLeft', { count: usesLeft }) : t('downloadsLeft', { count: usesLeft })}</li>
        )}
        {bytesLeft !== null && bytesLeft > 0 && <li>{t('upload.left', { size: formatSize(bytesLeft) })}</li>}
      </ul>
    </>
  );
}
