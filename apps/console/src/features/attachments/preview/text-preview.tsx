import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { LazyTextView } from '../../../shared/ui/text-view/lazy-text-view.tsx';
import { readText } from './content.ts';

/** A text or a log, part by part. */
export function TextPreview({ id, name }: { id: number; name: string }) {
  const parts = useInfiniteQuery({
    queryKey: ['attachmentText', id],
    queryFn: ({ pageParam, signal }) => readText(id, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const text = useMemo(() => parts.data?.pages.map((part) => part.text).join('') ?? '', [parts.data]);
  const last = parts.data?.pages.at(-1);
  if (!last) {
    return parts.isError ? (
      <ErrorState error={parts.error} onRetry={() => void parts.refetch()} />
    ) : (
      <SkeletonRows rows={8} />
    );
  }
  return (
    <LazyTextView
      name={name}
      text={text}
      loaded={last.next === null ? null : { part: last.next, size: last.size }}
      more={{
        run: () => void parts.fetchNextPage(),
        loading: parts.isFetchingNextPage,
        error: parts.isFetchNextPageError ? parts.error : null,
      }}
    />
  );
}
