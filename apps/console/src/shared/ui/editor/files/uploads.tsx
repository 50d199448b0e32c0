import { PaperClipOutlined } from '@ant-design/icons';
import { EDITOR_FILES } from '@chargehand/domain';
import { Button } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ACCEPTED } from './file-node.ts';
import css from './uploads.module.css';
import type { RunningUpload } from './use-uploads.ts';

/** The button that opens the file dialog. */
export function FileButton(props: { accept?: string; onFiles(files: File[]): void }) {
  const { accept = ACCEPTED, onFiles } = props;
  const { t } = useTranslation('editor');
  const input = useRef<HTMLInputElement>(null);
  const label = t('files.choose', { limit: EDITOR_FILES });
  return (
    <>
      <Button
        type="text"
        size="small"
        icon={<PaperClipOutlined />}
        aria-label={label}
        title={label}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        // Ant Design shows file fields of forms, also those with the attribute `hidden`.
        style={{ display: 'none' }}
        accept={accept}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}

/** The files that are being uploaded, with their progress. */
export function Uploads({ running }: { running: readonly RunningUpload[] }) {
  const { t } = useTranslation('files');
  return running.length === 0 ? null : (
    <ul className={css.uploads}>
      {running.map(({ id, name, part, cancel }) => (
        <li key={id}>
          <span className="two-lines" title={name}>
            {t('uploading', { name })}
          </span>
          <progress value={part} max={1} aria-label={name} />
          <button type="button" className="text-button" onClick={cancel}>
            {t('cancel')}
          </button>
        </li>
      ))}
    </ul>
  );
}
