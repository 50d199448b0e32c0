import { REPORT_LIMITS } from '@chargehand/domain';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainButton } from '../../../shared/ui/states/plain-button.tsx';
import { type Picked, prepare, UnreadablePhoto } from './photos.ts';
import styles from './report.module.css';

/** A photo or video that was chosen, with the address of its preview. */
export interface Shot extends Picked {
  id: string;
  preview: string;
}

interface Props {
  shots: readonly Shot[];
  onChange(shots: readonly Shot[]): void;
}

/** Up to five photos from the camera or the gallery, or one video. Photos are prepared at once, without a network. */
export function PhotoField({ shots, onChange }: Props) {
  const { t } = useTranslation('report');
  const camera = useRef<HTMLInputElement>(null);
  const gallery = useRef<HTMLInputElement>(null);
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef(shots);
  latest.current = shots;
  useEffect(
    () => () => {
      for (const { preview } of latest.current) URL.revokeObjectURL(preview);
    },
    [],
  );

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
        const picked = await prepare(file, next.length + 1);
        next.push({ ...picked, id: crypto.randomUUID(), preview: URL.createObjectURL(picked.blob) });
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
          {shots.map(({ id, preview, kind, name }, index) => (
            <li key={id}>
              {kind === 'photo' ? (
                <img src={preview} alt={t('photos.photo', { number: index + 1 })} />
              ) : (
                <video src={preview} muted playsInline preload="metadata" aria-label={name} />
              )}
              <button
                type="button"
                className={styles.remove}
                aria-label={t('photos.remove', { number: index + 1 })}
                onClick={() => {
                  URL.revokeObjectURL(preview);
                  onChange(shots.filter((one) => one.id !== id));
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
      <span className={styles.hint}>{t('photos.hint')}</span>
      {problem !== null && (
        <span className={styles.problem} role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}
