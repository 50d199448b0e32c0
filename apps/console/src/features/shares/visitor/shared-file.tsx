import type { OpenedShare } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Preview } from './preview.tsx';
import { contentAddress } from './share-address.ts';
import { ShareDetails } from './share-details.tsx';
import styles from './share-page.module.css';

/** A shared file: what it is, a preview, and the download, which the browser can resume. */
export function SharedFile({ token, content }: { token: string; content: NonNullable<OpenedShare['content']> }) {
  const { t } = useTranslation('share');
  const { name, size, preview } = content;
  return (
    <>
      <h1 className={styles.name}>{name}</h1>
      {size !== null && <p className={styles.text}>{formatSize(size)}</p>}
      <p className={styles.actions}>
        <a className="plain-button plain-button-primary" href={contentAddress(token)} download={name}>
          {t('download')}
        </a>
      </p>
      <ShareDetails content={content} />
      {preview !== null && <Preview token={token} kind={preview} name={name} />}
    </>
  );
}
