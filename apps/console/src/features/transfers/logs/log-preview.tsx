import type { DeviceDetail, DeviceLogRow } from '@chargehand/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { LazyTextView } from '../../../shared/ui/text-view/lazy-text-view.tsx';

interface Props {
  device: DeviceDetail;
  log: DeviceLogRow;
  onDownload(): void;
  /** undefined when the log cannot be added to an issue */
  onAdd: (() => void) | undefined;
  onClose(): void;
}

/** A log as text, part by part, with search, line wrap and download. */
export function LogPreview({ device, log, onDownload, onAdd, onClose }: Props) {
  const { t } = useTranslation('transfers');
  const params = { id: device.id, logId: log.id };
  const preview = useInfiniteQuery({
    queryKey: ['previewDeviceLog', { params }],
    queryFn: ({ pageParam: from }) => call('previewDeviceLog', { params, query: { from } }, { quiet: true }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  });
  const pages = preview.data?.pages ?? [];
  const last = pages.at(-1);
  const text = useMemo(() => preview.data?.pages.map((page) => page.text ?? '').join('') ?? '', [preview.data]);
  const { t: common } = useTranslation();
  const tools = (
    <>
      {onAdd && <Button onClick={onAdd}>{common('issue.add')}</Button>}
      {device.may.download && <Button onClick={onDownload}>{t('download')}</Button>}
    </>
  );
  return (
    <Dialog title={log.fileName} width={900} footer={null} onCancel={onClose}>
      {preview.isError && pages.length === 0 ? (
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
      ) : !last ? (
        <SkeletonRows rows={8} />
      ) : pages[0]?.text === null ? (
        <div className="stack">
          <p className="quiet">{t('logs.noText')}</p>
          <div className="field-row">{tools}</div>
        </div>
      ) : (
        <LazyTextView
          name={log.fileName}
          text={text}
          loaded={last.complete ? null : { part: last.next ?? log.size, size: log.size }}
          cut={last.next === null ? t('logs.firstPart') : undefined}
          more={{
            run: () => void preview.fetchNextPage(),
            loading: preview.isFetchingNextPage,
            error: preview.isFetchNextPageError ? preview.error : null,
          }}
          tools={tools}
        />
      )}
    </Dialog>
  );
}
