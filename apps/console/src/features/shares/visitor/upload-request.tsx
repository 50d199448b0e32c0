import type { OpenedShare } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainButton } from '../../../shared/ui/states/plain-button.tsx';
import { sendFile } from './send-file.ts';
import { ShareDetails } from './share-details.tsx';
import styles from './share-page.module.css';

interface Upload {
  key: number;
  file: File;
  sent: number;
  state: 'queued' | 'sending' | 'waiting' | 'done' | 'failed';
  problem: string | null;
  cancel: AbortController;
}

let nextKey = 1;

/** The page on which a visitor uploads files for a request. */
export function UploadRequest(props: {
  token: string;
  request: NonNullable<OpenedShare['content']>;
  /** called when files have arrived, because the limits have changed */
  onUsed(): void;
}) {
  const { token, request, onUsed } = props;
  const { t } = useTranslation('share');
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [uploader, setUploader] = useState('');
  const [over, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const change = (key: number, values: Partial<Upload>) =>
    setUploads((now) => now.map((upload) => (upload.key === key ? { ...upload, ...values } : upload)));

  const next = uploads.some(({ state }) => state === 'sending' || state === 'waiting')
    ? undefined
    : uploads.find(({ state }) => state === 'queued');
  // biome-ignore lint/correctness/useExhaustiveDependencies: one file at a time: the next one starts when it is the first
  useEffect(() => {
    if (!next) return;
    const { key, file, cancel } = next;
    change(key, { state: 'sending' });
    sendFile(file, {
      ...{ token, uploader, signal: cancel.signal, memory: memoryOf(token, file) },
      onProgress: (sent, waiting) =>
        change(key, { state: waiting ? 'waiting' : 'sending', ...(sent < 0 ? {} : { sent }) }),
    }).then(
      () => {
        change(key, { state: 'done', sent: file.size });
        onUsed();
      },
      (error: unknown) => {
        if (cancel.signal.aborted) return setUploads((now) => now.filter((upload) => upload.key !== key));
        change(key, { state: 'failed', problem: error instanceof Error ? error.message : String(error) });
      },
    );
  }, [next?.key]);

  const busy = uploads.some(({ state }) => state === 'queued' || state === 'sending' || state === 'waiting');
  useEffect(() => {
    if (!busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [busy]);

  const add = (files: Iterable<File>) => {
    // Read now: the list of a field is empty once the field is reset, which may be before the state is changed.
    const added = [...files].map((file) => {
      const key = nextKey++;
      return { key, file, sent: 0, state: 'queued' as const, problem: null, cancel: new AbortController() };
    });
    setUploads((now) => [...now, ...added]);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    add(event.dataTransfer.files);
  };
  const takes = request.bytesLeft !== 0 && request.usesLeft !== 0;
  return (
    <>
      <h1 className={styles.name}>{t('upload.title', { owner: request.owner })}</h1>
      <ShareDetails content={request} />
      {request.bytesLeft === 0 && <p className={styles.text}>{t('upload.full')}</p>}
      {takes && (
        <>
          <label className={styles.label} htmlFor="share-uploader">
            {t('upload.name')}
          </label>
          <input
            id="share-uploader"
            className={styles.input}
            value={uploader}
            maxLength={100}
            autoComplete="name"
            onChange={(event) => setUploader(event.target.value)}
          />
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same */}
          <div
            className={styles.drop}
            data-over={over}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={drop}
          >
            <PlainButton primary onClick={() => chooser.current?.click()}>
              {t('upload.choose')}
            </PlainButton>
            <span className={styles.text}>{t('upload.drop')}</span>
            <input
              ref={chooser}
              type="file"
              multiple
              hidden
              aria-label={t('upload.choose')}
              onChange={(event) => {
                add(event.target.files ?? []);
                event.target.value = '';
              }}
            />
          </div>
        </>
      )}
      <ul className={`plain-list ${styles.list}`} aria-live="polite">
        {uploads.map((upload) => (
          <UploadRow
            key={upload.key}
            upload={upload}
            onCancel={() => {
              upload.cancel.abort(new DOMException('cancelled', 'AbortError'));
              if (upload.state === 'queued') setUploads((now) => now.filter(({ key }) => key !== upload.key));
            }}
            onRetry={() => change(upload.key, { state: 'queued', problem: null })}
          />
        ))}
      </ul>
    </>
  );
}

function UploadRow({ upload, onCancel, onRetry }: { upload: Upload; onCancel(): void; onRetry(): void }) {
  const { t } = useTranslation('share');
  const { file, sent, state, problem } = upload;
  const running = state === 'queued' || state === 'sending' || state === 'waiting';
  return (
    <li>
      <span className="two-lines" title={file.name}>
        {file.name}
      </span>
      <span className={styles.size}>{formatSize(file.size)}</span>
      <span className={styles.entryActions}>
        {running && (
          <button
            type="button"
            className={styles.link}
            onClick={onCancel}
            aria-label={t('upload.cancelOf', { name: file.name })}
          >
            {t('upload.cancel')}
          </button>
        )}
        {state === 'failed' && (
          <button
            type="button"
            className={styles.link}
            onClick={onRetry}
            aria-label={t('upload.retryOf', { name: file.name })}
          >
            {t('retry')}
          </button>
        )}
      </span>
      <span className={styles.within}>
        {running && (
          <progress className={styles.progress} value={sent} max={Math.max(1, file.size)} aria-label={file.name} />
        )}
        <span className={state === 'failed' ? styles.problem : styles.state}>
          {problem ?? t(`upload.state.${state === 'failed' ? 'queued' : state}`)}
        </span>
      </span>
    </li>
  );
}

/** Remembers the upload of a file in this browser, so that it continues after a reload when the file is chosen again. */
function memoryOf(token: string, { name, size, lastModified }: File) {
  const key = `chargehand.share-upload ${token.slice(0, 8)} ${name} ${size} ${lastModified}`;
  return {
    get: () => localStorage.getItem(key),
    set: (id: string | null) => (id === null ? localStorage.removeItem(key) : localStorage.setItem(key, id)),
  };
}
