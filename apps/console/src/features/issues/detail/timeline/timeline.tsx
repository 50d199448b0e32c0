import type { IssueDetail, IssueEntry } from '@chargehand/contract';
import { issueStatusAfter } from '@chargehand/domain';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../../../shared/ui/page/page-header.tsx';
import { ErrorNote } from '../../../../shared/ui/states/error-note.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { CommentBox } from './comment-box.tsx';
import { Entry } from './entry.tsx';
import css from './timeline.module.css';
import { useTimeline } from './use-timeline.ts';

/** The comments and events of an issue, newest first, and a field for a new comment above them. */
export function Timeline({ issue, answered }: { issue: IssueDetail; answered: { reportId: number } | null }) {
  const { t } = useTranslation('issue');
  const { query, shown } = useTimeline(issue.id);
  const [quoted, setQuoted] = useState<IssueEntry | null>(null);
  const entryOf = (id: number) => shown?.entries.find((entry) => entry.id === id);
  const canComment = issue.mergedInto === null && issueStatusAfter(issue.status, 'comment') !== null;
  return (
    <Panel title={t('timeline.title')} extra={<span className="quiet">{t('timeline.order')}</span>}>
      <div className="stack">
        {canComment && (
          <CommentBox
            issue={issue}
            quoted={quoted}
            answered={answered}
            entryOf={entryOf}
            onQuoteDone={() => setQuoted(null)}
          />
        )}
        {shown ? (
          <>
            {/* Above the list and always there, so that its text moves nothing. */}
            <p className={css.arrived} role="status">
              {shown.arrived > 0 && (
                <Button size="small" type="primary" onClick={shown.showArrived}>
                  {t('timeline.arrived', { count: shown.arrived })}
                </Button>
              )}
            </p>
            <ol className={css.timeline}>
              {shown.entries.map((entry) => (
                <Entry
                  key={entry.id}
                  issue={issue}
                  entry={entry}
                  quoted={entry.quotes === null ? undefined : entryOf(entry.quotes)}
                  onQuote={canComment && entry.issueId === issue.id ? setQuoted : undefined}
                />
              ))}
            </ol>
            {query.hasNextPage && (
              <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {t('timeline.earlier')}
              </Button>
            )}
            <ErrorNote text={query.isError ? t('timeline.stale') : null} />
          </>
        ) : query.isError ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <SkeletonRows rows={5} />
        )}
      </div>
    </Panel>
  );
}
