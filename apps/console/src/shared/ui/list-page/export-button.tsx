import { CloseOutlined, DownloadOutlined } from '@ant-design/icons';
import { formatSize } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DownloadOptions } from '../../api/client.ts';
import '../states/plain.css';

interface Props {
  /** downloads the file; rejects with an error of kind `cancelled` when its signal aborts */
  fetch(options: DownloadOptions): Promise<void>;
  /** the number of rows of the file, if known */
  rows?: number | undefined;
  disabled?: boolean;
}

/**
 * Exports the whole list as a spreadsheet, filtered and sorted as displayed; shows the progress and can be cancelled.
 */
export function ExportButton({ fetch, rows, disabled = false }: Props) {
  const { t } = useTranslation();
  const [bytes, setBytes] = useState(0);
  const leave = useRef<AbortController>(undefined);
  useEffect(() => () => leave.current?.abort(), []);
  const fetching = useMutation({
    mutationFn: () => {
      leave.current = new AbortController();
      setBytes(0);
      return fetch({ signal: leave.current.signal, onBytes: setBytes });
    },
  });
  if (!fetching.isPending) {
    return (
      <Button icon={<DownloadOutlined aria-hidden="true" />} disabled={disabled} onClick={() => fetching.mutate()}>
        {t('list.export')}
      </Button>
    );
  }
  const size = formatSize(bytes);
  return (
    <span className="export-progress">
      <span className="plain-spinner" aria-hidden="true" />
      <span role="status">
        {rows === undefined
          ? t('list.exported', { size })
          : t('list.exportedOf', { size, rows: rows.toLocaleString('en-US') })}
      </span>
      <Button
        type="text"
        size="small"
        icon={<CloseOutlined aria-hidden="true" />}
        aria-label={t('list.cancelExport')}
        title={t('list.cancelExport')}
        onClick={() => leave.current?.abort()}
      />
    </span>
  );
}
