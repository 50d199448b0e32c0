import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { IssueDue, IssuePriorityMark } from '../shared/issue-marks.tsx';
import { issueListPath, issuePath } from '../shared/issue-paths.ts';
import { useIssueRights } from '../shared/use-issue-rights.ts';
import css from './sections.module.css';

/** The number of issues shown; the list has all. */
const SHOWN = 4;

/** The open issues that are assigned to the user, the most urgent first. */
export default function MyIssues() {
  return (
    <div className={css.mineFrame}>
      <Mine />
    </div>
  );
}

function Mine() {
  const { t } = useTranslation('issues');
  const { read } = useIssueRights();
  const query = { tab: 'open', mine: true, sort: '-priority', page: 1, pageSize: 10 } as const;
  const mine = useQuery(queryOf('listIssues', { query }, { quiet: true }));
  if (mine.isError && !mine.data) return <ErrorState error={mine.error} onRetry={() => void mine.refetch()} />;
  if (!mine.data) return <SkeletonRows rows={SHOWN} />;
  const { items, total } = mine.data;
  if (total === 0) return <p className="quiet">{t('section.noneMine')}</p>;
  return (
    <ul className={`plain-list ${css.mine}`}>
      {items.slice(0, SHOWN).map((issue) => {
        const title = `${issue.key} ${issue.title}`;
        return (
          <li key={issue.id}>
            <IssuePriorityMark priority={issue.priority} />
            <span className={css.mineTitle} title={title}>
              {read ? <Link to={issuePath(issue.id)}>{title}</Link> : title}
            </span>
            <span className="quiet">
              {issue.dueAt === null ? <TimeAgo at={issue.updatedAt} /> : <IssueDue issue={issue} />}
            </span>
          </li>
        );
      })}
      {total > SHOWN && (
        <li>
          <Link to={issueListPath({ tab: 'open', mine: 'true' })}>{t('section.allMine', { count: total })}</Link>
        </li>
      )}
    </ul>
  );
}
