import type { OpenedShare } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import styles from './share-page.module.css';
import { useVisitorTime } from './use-visitor-time.ts';

/** Who shares it, until when, and how often it can still be used. */
export function ShareDetails({ content }: { content: NonNullable<OpenedShare['content']> }) {
  const { t } = useTranslation('share');
  const { owner, note, expiresAt, usesLeft, bytesLeft, kind } = content;
  const time = useVisitorTime();
  return (
    <>
      {note !== '' && <p className={styles.note}>{note}</p>}
      <ul className={styles.details}>
        <li>{t('owner', { owner })}</li>
        <li>{expiresAt === null ? t('permanent') : t('until', { time: time(expiresAt) })}</li>
        {usesLeft !== null && (
          <li>{kind === 'upload' ? t('filesLeft', { count: usesLeft }) : t('downloadsLeft', { count: usesLeft })}</li>
        )}
        {bytesLeft !== null && bytesLeft > 0 && <li>{t('upload.left', { size: formatSize(bytesLeft) })}</li>}
      </ul>
    </>
  );
}
