import type { OpenedShare } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { contentAddress } from './share-address.ts';
import styles from './share-page.module.css';

type Kind = NonNullable<NonNullable<OpenedShare['content']>['preview']>;

/** Only the start of a long text is loaded. Bytes. */
const TEXT_BYTES = 256 * 1024;

interface Props {
  token: string;
  kind: Kind;
  name: string;
  fileId?: number;
}

/** Shows a file in the page, where browsers can. Nothing in it can run. */
export function Preview({ token, kind, name, fileId }: Props) {
  const { t } = useTranslation('share');
  const [failed, setFailed] = useState(false);
  const address = contentAddress(token, fileId, true);
  const fail = () => setFailed(true);
  if (failed) return <p className={styles.text}>{t('preview.failed')}</p>;
  if (kind === 'image') return <img className={styles.picture} src={address} alt={name} onError={fail} />;
  if (kind === 'video') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: files of users have no captions
      <video className={styles.picture} src={address} controls preload="metadata" playsInline onError={fail} />
    );
  }
  if (kind === 'text') return <TextPreview address={address} onFailed={fail} />;
  // Browsers on phones show PDF files only as a page of their own.
  if (!navigator.pdfViewerEnabled) {
    return (
      <p>
        <a href={address} target="_blank" rel="noreferrer">
          {t('preview.open')}
        </a>
      </p>
    );
  }
  return <iframe className={styles.frame} src={address} title={name} />;
}

function TextPreview({ address, onFailed }: { address: string; onFailed(): void }) {
  const { t } = useTranslation('share');
  const [text, setText] = useState<{ shown: string; cut: boolean } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onFailed` is new in each rendering
  useEffect(() => {
    const leave = new AbortController();
    const range = { range: `bytes=0-${TEXT_BYTES - 1}` };
    fetch(address, { headers: range, credentials: 'same-origin', signal: leave.signal })
      .then(async (response) => {
        if (response.status !== 206 && response.status !== 200) throw new Error(`status ${response.status}`);
        const total = Number(response.headers.get('content-range')?.split('/')[1] ?? 0);
        setText({ shown: await response.text(), cut: total > TEXT_BYTES });
      })
      .catch((error: unknown) => {
        if (leave.signal.aborted) return;
        console.warn('The preview cannot be loaded', error);
        onFailed();
      });
    return () => leave.abort();
  }, [address]);
  if (text === null) return <p role="status">{t('loading')}</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard */}
      <pre className={styles.words} tabIndex={0}>
        {text.shown}
      </pre>
      {text.cut && <p className={styles.text}>{t('preview.start', { size: formatSize(TEXT_BYTES) })}</p>}
    </>
  );
}
