import { FILE_RULES, formatSize } from '@chargehand/domain';
import { Button } from 'antd';
import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { UploadProblem, upload } from '../../storage/upload.ts';
import { toast } from '../dialogs/toast.ts';
import { StoredPicture } from './stored-picture.tsx';

export interface PictureFieldProps {
  id?: string;
  value?: string | null;
  onChange?(key: string | null): void;
  /** the subject of the picture */
  label: string;
  /** an upload started or ended: a form waits for it */
  onBusy?(busy: boolean): void;
  disabled?: boolean;
  /** the allowed files (spec §9); default: a picture */
  purpose?: 'image' | 'icon';
}

interface UnderWay {
  name: string;
  preview: string;
  part: number;
  cancel: AbortController;
}

const WIDTH = 160;
const HEIGHT = 100;

/** The picture field itself; forms use it through `PictureField`. */
export default function PictureInput({
  id,
  value = null,
  onChange,
  label,
  onBusy,
  disabled = false,
  purpose = 'image',
}: PictureFieldProps) {
  const { endings, limit } = FILE_RULES[purpose];
  const { t } = useTranslation('files');
  const own = useId();
  const input = useRef<HTMLInputElement>(null);
  const [underWay, setUnderWay] = useState<UnderWay | null>(null);
  // An upload cannot be read back until the form is saved, so the local file is displayed.
  const [uploaded, setUploaded] = useState<{ key: string; preview: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  const latest = useRef<AbortController>(null);
  useEffect(() => () => latest.current?.abort(), []);

  async function take(file: File | undefined) {
    if (!file || disabled) return;
    latest.current?.abort();
    const cancel = new AbortController();
    latest.current = cancel;
    const preview = URL.createObjectURL(file);
    const isCurrent = () => latest.current === cancel && !cancel.signal.aborted;
    setProblem(null);
    setUnderWay({ name: file.name, preview, part: 0, cancel });
    onBusy?.(true);
    try {
      const key = await upload(file, {
        folder: 'images',
        purpose,
        signal: cancel.signal,
        onProgress: (part) => setUnderWay((now) => (now?.cancel === cancel ? { ...now, part } : now)),
      });
      if (!isCurrent()) return;
      setUploaded({ key, preview });
      onChange?.(key);
    } catch (error) {
      if (!cancel.signal.aborted) {
        console.warn('An upload failed', error);
        const fault = error instanceof UploadProblem ? error.fault : 'failed';
        setProblem(t(`fault.${fault}`, { name: file.name, types: endings.join(', '), limit: formatSize(limit) }));
      }
    } finally {
      if (latest.current === cancel) {
        setUnderWay(null);
        onBusy?.(false);
      }
    }
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  }

  function stop() {
    underWay?.cancel.abort();
    toast.info(t('cancelled'));
  }

  const local = underWay?.preview ?? (uploaded && uploaded.key === value ? uploaded.preview : null);
  return (
    <section
      className="picture-field"
      data-over={over || undefined}
      aria-label={label}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(!disabled);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className="picture-field-frame">
        {local ? (
          <img src={local} alt={label} width={WIDTH} height={HEIGHT} />
        ) : value === null ? (
          <span>{t('none')}</span>
        ) : (
          <StoredPicture of={value} alt={label} width={WIDTH} height={HEIGHT} />
        )}
      </div>
      <div className="picture-field-tools">
        <input
          ref={input}
          id={id ?? own}
          className="visually-hidden"
          type="file"
          accept="image/jpeg,image/png"
          disabled={disabled}
          tabIndex={-1}
          aria-label={label}
          onChange={(event) => {
            void take(event.target.files?.[0]);
            // Allows the same file to be selected again after it was rejected.
            event.target.value = '';
          }}
        />
        {underWay ? (
          <>
            <progress max={1} value={underWay.part} aria-label={t('uploading', { name: underWay.name })} />
            <span className="picture-field-name">{underWay.name}</span>
            <Button size="small" onClick={stop}>
              {t('cancel')}
            </Button>
          </>
        ) : (
          <>
            <span className="picture-field-buttons">
              <Button size="small" disabled={disabled} onClick={() => input.current?.click()}>
                {value === null ? t('choose') : t('change')}
              </Button>
              {value !== null && (
                <Button size="small" type="text" disabled={disabled} onClick={() => onChange?.(null)}>
                  {t('remove')}
                </Button>
              )}
            </span>
            <span className="quiet">{t('hint', { types: endings.join(', '), limit: formatSize(limit) })}</span>
          </>
        )}
        {problem && (
          <span className="picture-field-problem" role="alert">
            {problem}
          </span>
        )}
      </div>
    </section>
  );
}
