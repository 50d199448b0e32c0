import type { LinkTransfer } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import css from './files.module.css';
import type { Upload } from './use-uploads.ts';

interface Props {
  uploads: readonly Upload[];
  downloads: readonly LinkTransfer[];
  onReplace(key: number): void;
  onRemove(upload: Upload): void;
  onCancel(download: LinkTransfer): void;
}

/** The transfers of a terminal, with their progress. */
export function TransferList({ uploads, downloads, onReplace, onRemove, onCancel }: Props) {
  const { t } = useTranslation('links');
  if (uploads.length + downloads.length === 0) return null;
  return (
    <ul className={css.transfers} aria-label={t('files.transfers')}>
      {uploads.map((upload) => {
        const { key, path, file, sent, state, problem } = upload;
        const name = nameOf(path);
        const active = state === 'sending' || state === 'waiting' || state === 'queued';
        return (
          <Row
            key={key}
            text={t('files.upload', { name })}
            part={active ? sent / Math.max(1, file.size) : null}
            state={problem ?? t(`files.states.${state}`)}
            size={active ? `${formatSize(sent)} / ${formatSize(file.size)}` : formatSize(file.size)}
            failed={state === 'failed'}
          >
            {state === 'exists' && (
              <Button size="small" aria-label={t('files.replaceName', { name })} onClick={() => onReplace(key)}>
                {t('files.replace')}
              </Button>
            )}
            <Button
              size="small"
              aria-label={t(active ? 'files.cancelName' : 'files.hideName', { name })}
              onClick={() => onRemove(upload)}
            >
              {t(active ? 'files.cancel' : 'files.hide')}
            </Button>
          </Row>
        );
      })}
      {downloads.map((download) => {
        const { id, path, bytes, size, state, problem } = download;
        const name = nameOf(path);
        const active = state === 'running';
        return (
          <Row
            key={id}
            text={t('files.download', { name })}
            part={active && size > 0 ? bytes / size : null}
            state={problem ?? t(`files.states.${state}`)}
            size={active ? `${formatSize(bytes)} / ${formatSize(size)}` : formatSize(Math.max(size, bytes))}
            failed={state === 'failed'}
          >
            {active && (
              <Button size="small" aria-label={t('files.cancelName', { name })} onClick={() => onCancel(download)}>
                {t('files.cancel')}
              </Button>
            )}
          </Row>
        );
      })}
    </ul>
  );
}

function Row(props: {
  text: string;
  part: number | null;
  state: string;
  size: string;
  failed: boolean;
  children: ReactNode;
}) {
  const { text, part, state, size, failed, children } = props;
  return (
    <li>
      <span className="two-lines" title={text}>
        {text}
      </span>
      {part !== null && <progress value={part} max={1} aria-label={text} />}
      <span className="no-break">{size}</span>
      <span className={failed ? css.failed : 'quiet'} role={failed ? 'alert' : undefined}>
        {state}
      </span>
      {children}
    </li>
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
