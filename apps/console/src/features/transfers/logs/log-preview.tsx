import type { DeviceDetail, DeviceLogRow } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button, Checkbox, Input } from 'antd';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { findLines, splitMatches } from '../../../shared/lib/files/find-lines.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import css from '../transfers.module.css';

/** The maximum number of rendered lines; more would block the page. */
const MOST_FOUND = 500;

interface Props {
  device: DeviceDetail;
  log: DeviceLogRow;
  onDownload(): void;
  onClose(): void;
}

/** A log as text, part by part, with search, line wrap and download. */
export function LogPreview({ device, log, onDownload, onClose }: Props) {
  const { t } = useTranslation('transfers');
  const [search, setSearch] = useState('');
  const [wraps, setWraps] = useState(true);
  const wanted = useDeferredValue(search.trim());
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
  const download = device.may.download && <Button onClick={onDownload}>{t('download')}</Button>;
  return (
    <Dialog title={log.fileName} width={900} footer={null} onCancel={onClose}>
      {preview.isError && pages.length === 0 ? (
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
      ) : !last ? (
        <SkeletonRows rows={8} />
      ) : pages[0]?.text === null ? (
        <div className="stack">
          <p className="quiet">{t('logs.noText')}</p>
          <div>{download}</div>
        </div>
      ) : (
        <div className="stack">
          <div className={css.logTools}>
            <Input.Search
              className={css.logSearch}
              allowClear
              value={search}
              placeholder={t('logs.search')}
              aria-label={t('logs.search')}
              onChange={(event) => setSearch(event.target.value)}
            />
            <Checkbox checked={wraps} onChange={(event) => setWraps(event.target.checked)}>
              {t('logs.wrap')}
            </Checkbox>
            {download}
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable with the keyboard */}
          <section className={css.logText} data-wraps={wraps} tabIndex={0} aria-label={log.fileName}>
            {wanted === '' ? (
              pages.map((page, place) => <pre key={pages[place - 1]?.next ?? 0}>{page.text}</pre>)
            ) : (
              <Found text={text} search={wanted} />
            )}
          </section>
          {!last.complete && (
            <div className={css.logTools}>
              <span className="quiet">
                {last.next === null
                  ? t('logs.firstPart')
                  : t('logs.loaded', { part: formatSize(last.next), size: formatSize(log.size) })}
              </span>
              {last.next !== null && (
                <Button loading={preview.isFetchingNextPage} onClick={() => void preview.fetchNextPage()}>
                  {t('logs.more')}
                </Button>
              )}
              {preview.isFetchNextPageError && <span className="error-note">{preview.error?.message}</span>}
            </div>
          )}
        </div>
      )}
    </Dialog>
  );
}

/** The lines that contain the search text, with their numbers. */
function Found({ text, search }: { text: string; search: string }) {
  const { t } = useTranslation('transfers');
  const { lines, total } = useMemo(() => findLines(text, search, MOST_FOUND), [text, search]);
  return (
    <>
      <p className="quiet" role="status">
        {t('logs.found', { count: total })}
        {total > lines.length && ` · ${t('logs.foundFirst', { count: lines.length })}`}
      </p>
      <pre>
        {lines.map(({ number, text: line }) => (
          <span key={number} className={css.logLine}>
            <span className={css.logNumber}>{number}</span>
            {splitMatches(line, search).map((piece, place) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have no other key
              place % 2 === 1 ? <mark key={place}>{piece}</mark> : piece,
            )}
            {'\n'}
          </span>
        ))}
      </pre>
    </>
  );
}
