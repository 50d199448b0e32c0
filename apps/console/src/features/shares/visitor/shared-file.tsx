import type { OpenedShare } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { Preview } from './preview.tsx';
import { contentAddress } from './share-address.ts';
import { ShareDetails } from './share-details.tsx';
import styles from './share-page.module.css';

/** How often the page asks whether the virus scan of its file has finished. Milliseconds. */
const SCAN_POLL_MS = 3_000;

interface Props {
  token: string;
  content: NonNullable<OpenedShare['content']>;
  onOpened(opened: OpenedShare): void;
  /** The share cannot be used any more. */
  onEnded(problem: unknown): void;
}

/**
 * A shared file: what it is, a preview, and the download, which the browser can resume. While the file waits for the
 * virus scan, the page checks again by itself.
 */
export function SharedFile({ token, content, onOpened, onEnded }: Props) {
  const { t } = useTranslation('share');
  const { name, size, preview, unavailable } = content;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions do the same in each rendering
  useEffect(() => {
    if (unavailable !== 'waiting') return;
    const leave = new AbortController();
    const check = () =>
      call('openShare', { query: { s: token } }, { quiet: true, signal: leave.signal }).then(
        onOpened,
        (error: unknown) => {
          // Without a connection it tries again; the page stays as it is.
          if (error instanceof ApiProblem && error.kind === 'business') onEnded(error);
        },
      );
    const timer = setInterval(() => void check(), SCAN_POLL_MS);
    return () => {
      clearInterval(timer);
      leave.abort();
    };
  }, [token, unavailable]);
  return (
    <>
      <h1 className={styles.name}>{name}</h1>
      {size !== null && <p className={styles.text}>{formatSize(size)}</p>}
      {unavailable === null ? (
        <p className={styles.actions}>
          <a className="plain-button plain-button-primary" href={contentAddress(token)} download={name}>
            {t('download')}
          </a>
        </p>
      ) : (
        <p className={styles.unavailable} role="status">
          {t(`unavailable.${unavailable}`)}
        </p>
      )}
      <ShareDetails content={content} />
      {preview !== null && <Preview token={token} kind={preview} name={name} />}
    </>
  );
}
