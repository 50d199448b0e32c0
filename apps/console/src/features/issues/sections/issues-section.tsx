import type { IssueRow } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { IssueDue, IssueLabels, IssuePriorityMark, IssueStatusTag } from '../shared/issue-marks.tsx';
import { addIssuePath, type IssueSubject, issueListPath, issuePath } from '../shared/issue-paths.ts';
import { useIssueRights } from '../shared/use-issue-rights.ts';
import css from './sections.module.css';

/** Open issues that a section shows; the list has all of them. */
const OPEN = 20;
const CLOSED = 10;

/** The issues of a device, site or customer: open ones first, the most urgent at the top, then recently closed ones. */
export function IssuesSection({ of: place }: { of: IssueSubject }) {
  const { t } = useTranslation('issues');
  const { t: routes } = useTranslation('routes');
  const rights = useIssueRights();
  const query = { ...place, page: 1 } as const;
  const open = useQuery(
    queryOf('listIssues', { query: { ...query, tab: 'open', pageSize: OPEN, sort: '-priority' } }, { quiet: true }),
  );
  const closed = useQuery(
    queryOf(
      'listIssues',
      { query: { ...query, tab: 'closed', pageSize: CLOSED, sort: '-updatedAt' } },
      { quiet: true },
    ),
  );
  const failed = [open, closed].find((one) => one.isError && !one.data);
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!open.data || !closed.data) return <SkeletonRows rows={4} />;
  const { counts } = open.data;
  const total = counts.open + counts.closed;
  const report = rights.add && <LinkButton to={addIssuePath(place)}>{routes('issueAdd')}</LinkButton>;
  if (total === 0) return <EmptyState text={t('section.none')} action={report} />;
  return (
    <div className="stack">
      <div className={css.head}>
        <Link to={issueListPath({ tab: 'all', ...place })}>{t('section.all', { count: total })}</Link>
        {report}
      </div>
      <Panel title={`${t('section.open')} ${counts.open.toLocaleString('en-US')}`}>
        {open.data.items.length === 0 ? (
          <p className="quiet">{t('section.noOpen')}</p>
        ) : (
          <Rows issues={open.data.items} place={place} />
        )}
      </Panel>
      {closed.data.items.length > 0 && (
        <Panel title={t('section.closed')}>
          <Rows issues={closed.data.items} place={place} />
        </Panel>
      )}
    </div>
  );
}

function Rows({ issues, place }: { issues: readonly IssueRow[]; place: IssueSubject }) {
  const { t } = useTranslation('issues');
  const { read } = useIssueRights();
  return (
    <ul className={css.rows}>
      {issues.map((issue) => {
        const title = `${issue.key} ${issue.title}`;
        const where = place.deviceId === undefined && (issue.deviceName ?? issue.siteName);
        return (
          <li key={issue.id}>
            <ListCard
              title={
                <>
                  <IssuePriorityMark priority={issue.priority} />{' '}
                  {read ? <Link to={issuePath(issue.id)}>{title}</Link> : title}
                </>
              }
              aside={<IssueStatusTag status={issue.status} />}
            >
              <CardLine end={<TimeAgo at={issue.closedAt ?? issue.createdAt} />}>
                <span>
                  {where && `${where} · `}
                  {issue.assignee?.name ?? t('unassigned')}
                </span>
                {issue.dueAt !== null && issue.status !== 'closed' && <IssueDue issue={issue} />}
              </CardLine>
              <IssueLabels labels={issue.labels} />
            </ListCard>
          </li>
        );
      })}
    </ul>
  );
}
