import { REPORT_LIMITS } from '@chargehand/domain';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { randomId } from '../../../shared/lib/browser/random-id.ts';
import { PlainButton } from '../../../shared/ui/states/plain-button.tsx';
import { prepare, UnreadablePhoto } from './photos.ts';
import type { PickedFile } from './queue.ts';
import styles from './report.module.css';

interface Props {
  shots: readonly PickedFile[];
  onChange(shots: readonly PickedFile[]): void;
}

/** Up to five photos from the camera or the gallery, or one video. Photos are prepared at once, without a network. */
export function PhotoField({ shots, onChange }: Props) {
  const { t } = useTranslation('report');
  const camera = useRef<HTMLInputElement>(null);
  const gallery = useRef<HTMLInputElement>(null);
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function add(event: ChangeEvent<HTMLInputElement>) {
    const files = [...(event.target.files ?? [])];
    event.target.value = '';
    setProblem(null);
    setWorking(true);
    const next = [...shots];
    for (const file of files) {
      const hasVideo = next.some(({ kind }) => kind === 'video');
      const isVideo = file.type.startsWith('video/');
      if (hasVideo || (isVideo && next.length > 0) || next.length >= REPORT_LIMITS.photos) {
        setProblem(t('photos.tooMany', { count: REPORT_LIMITS.photos }));
        break;
      }
      try {
        next.push({ ...(await prepare(file, next.length + 1)), id: randomId() });
      } catch (error) {
        if (!(error instanceof UnreadablePhoto)) throw error;
        setProblem(t('photos.unreadable', { name: file.name }));
      }
    }
    setWorking(false);
    onChange(next);
  }

  const isFull = shots.length >= REPORT_LIMITS.photos || shots.some(({ kind }) => kind === 'video');
  return (
    <div className={styles.field}>
      <span className={styles.label}>{t('photos.label')}</span>
      {shots.length > 0 && (
        <ul className={styles.shots}>
          {shots.map((shot, index) => (
            <li key={shot.id}>
              <Preview shot={shot} number={index + 1} />
              <button
                type="button"
                className={styles.remove}
                aria-label={t('photos.remove', { number: index + 1 })}
                onClick={() => {
                  setProblem(null);
                  onChange(shots.filter((one) => one.id !== shot.id));
                }}
              >
                {'×'}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.row}>
        <PlainButton disabled={isFull || working} onClick={() => camera.current?.click()}>
          {working ? t('photos.working') : t('photos.take')}
        </PlainButton>
        <PlainButton disabled={isFull || working} onClick={() => gallery.current?.click()}>
          {t('photos.choose')}
        </PlainButton>
      </div>
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        aria-label={t('photos.take')}
        onChange={(event) => void add(event)}
      />
      <input
        ref={gallery}
        type="file"
        accept="image/*,video/mp4,video/3gpp,video/quicktime"
        multiple
        hidden
        aria-label={t('photos.choose')}
        onChange={(event) => void add(event)}
      />
      <span className={styles.hint}>
        {t(shots.some(({ unchanged }) => unchanged) ? 'photos.unchanged' : 'photos.hint')}
      </span>
      {problem !== null && (
        <span className={styles.problem} role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}

function Preview({ shot: { blob, kind, name }, number }: { shot: PickedFile; number: number }) {
  const { t } = useTranslation('report');
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  if (kind === 'photo') return <img src={url} alt={t('photos.photo', { number })} />;
  return <video src={url} muted playsInline preload="metadata" aria-label={name} />;
}
