import { formatSize } from '@chargehand/domain';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button, Checkbox, Input } from 'antd';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findLines, splitMatches } from '../../../shared/lib/files/find-lines.ts';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { readText } from './content.ts';
import css from './preview.module.css';

/** The maximum number of found lines that are rendered. */
const MOST_FOUND = 500;
/** The browser renders only the visible blocks (`content-visibility`), so a long text stays fast. */
const BLOCK_LINES = 200;

/** A text or a log, part by part, with search and line wrap. */
export function TextPreview({ id, name }: { id: number; name: string }) {
  const { t } = useTranslation('attachments');
  const [search, setSearch] = useState('');
  const [wraps, setWraps] = useState(true);
  const wanted = useDeferredValue(search.trim());
  const parts = useInfiniteQuery({
    queryKey: ['attachmentText', id],
    queryFn: ({ pageParam, signal }) => readText(id, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const text = useMemo(() => parts.data?.pages.map((part) => part.text).join('') ?? '', [parts.data]);
  const blocks = useMemo(() => blocksOf(text), [text]);
  const last = parts.data?.pages.at(-1);
  if (!last) {
    return parts.isError ? (
      <ErrorState error={parts.error} onRetry={() => void parts.refetch()} />
    ) : (
      <SkeletonRows rows={8} />
    );
  }
  return (
    <div className="stack">
      <div className={css.tools}>
        <Input.Search
          className={css.search}
          allowClear
          value={search}
          placeholder={t('preview.search')}
          aria-label={t('preview.search')}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Checkbox checked={wraps} onChange={(event) => setWraps(event.target.checked)}>
          {t('preview.wrap')}
        </Checkbox>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable with the keyboard */}
      <section className={css.text} data-wraps={wraps} tabIndex={0} aria-label={name}>
        {wanted === '' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only appended
          blocks.map((block, place) => <pre key={place}>{block}</pre>)
        ) : (
          <Found text={text} search={wanted} complete={last.next === null} />
        )}
      </section>
      {last.next !== null && (
        <div className={css.tools}>
          <span className="quiet">
            {t('preview.loaded', { part: formatSize(last.next), size: formatSize(last.size) })}
          </span>
          <Button loading={parts.isFetchingNextPage} onClick={() => void parts.fetchNextPage()}>
            {t('preview.more')}
          </Button>
          {parts.isFetchNextPageError && <span className="error-note">{parts.error?.message}</span>}
        </div>
      )}
    </div>
  );
}

/** The text in blocks of lines. */
function blocksOf(text: string): string[] {
  const lines = text.split('\n');
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; at += BLOCK_LINES) blocks.push(lines.slice(at, at + BLOCK_LINES).join('\n'));
  return blocks;
}

/** The lines that contain the search text, with their numbers. */
function Found({ text, search, complete }: { text: string; search: string; complete: boolean }) {
  const { t } = useTranslation('attachments');
  const { lines, total } = useMemo(() => findLines(text, search, MOST_FOUND), [text, search]);
  return (
    <>
      <p className="quiet" role="status">
        {t('preview.found', { count: total })}
        {total > lines.length && ` · ${t('preview.foundFirst', { count: lines.length })}`}
        {!complete && ` · ${t('preview.foundLoaded')}`}
      </p>
      <pre>
        {lines.map(({ number, text: line }) => (
          <span key={number} className={css.line}>
            <span className={css.number}>{number}</span>
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
