import type { IssueRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import type { Listing } from '../../../shared/hooks/lists/use-list.ts';
import { filtersIn } from '../../../shared/lib/lists/list-query.ts';
import { type DataColumn, DataTable } from '../../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { CustomerLink, DeviceLink, SiteLink } from '../../../shared/ui/values/place-link.tsx';
import { Dash, ExactTime, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { IssueDue, IssueLabels, IssuePriorityMark, IssueStatusTag } from '../shared/issue-marks.tsx';
import { addIssuePath, issuePath } from '../shared/issue-paths.ts';
import { useIssueRights } from '../shared/use-issue-rights.ts';
import { useIssueBulk } from './bulk/use-issue-bulk.tsx';
import type { ISSUE_LIST, IssueSort } from './issue-list.ts';
import css from './issues.module.css';

/** The issues that match the filters, in pages. */
export function IssueTable({ list }: { list: Listing<IssueRow, (typeof ISSUE_LIST)['filters'], IssueSort> }) {
  const { t } = useTranslation('issues');
  const { t: routes } = useTranslation('routes');
  const navigate = useNavigate();
  const rights = useIssueRights();
  const bulk = useIssueBulk();
  const title = ({ id, title: text }: IssueRow) => (rights.read ? <Link to={issuePath(id)}>{text}</Link> : text);
  const tab = list.query.tab ?? 'open';

  const columns: DataColumn<IssueRow, IssueSort>[] = [
    {
      name: 'number',
      title: t('number'),
      sortBy: 'number',
      width: 84,
      render: (_, { key }) => <span className="mono">{key}</span>,
    },
    {
      name: 'priority',
      title: t('priorityLabel'),
      sortBy: 'priority',
      width: 84,
      render: (_, { priority }) => <IssuePriorityMark priority={priority} />,
    },
    { name: 'status', title: t('statusLabel'), render: (_, { status }) => <IssueStatusTag status={status} /> },
    {
      name: 'title',
      always: true,
      title: t('title'),
      width: 280,
      render: (_, issue) => (
        <span className={css.titleCell}>
          {title(issue)} <IssueLabels labels={issue.labels} />
        </span>
      ),
    },
    { name: 'place', title: t('place'), width: 200, render: (_, issue) => <Place issue={issue} /> },
    { name: 'type', optional: true, title: t('typeLabel'), render: (_, { type }) => t(`type.${type}`) },
    { name: 'assignee', title: t('assignee'), render: (_, { assignee }) => assignee?.name ?? <Unassigned /> },
    { name: 'dueAt', title: t('due'), sortBy: 'dueAt', render: (_, issue) => <IssueDue issue={issue} /> },
    {
      name: 'createdAt',
      title: t('reported'),
      sortBy: 'createdAt',
      render: (_, { createdAt }) => <ExactTime at={createdAt} />,
    },
    {
      name: 'updatedAt',
      optional: true,
      title: t('updated'),
      sortBy: 'updatedAt',
      render: (_, { updatedAt }) => <TimeAgo at={updatedAt} />,
    },
    { name: 'createdBy', optional: true, title: t('reportedBy'), dataIndex: 'createdBy' },
    {
      name: 'closedAt',
      optional: true,
      title: t('closedAt'),
      render: (_, { closedAt }) => <ExactTime at={closedAt} />,
    },
    { name: 'comments', optional: true, title: t('comments'), align: 'end', dataIndex: 'comments' },
  ];

  return (
    <DataTable
      label={routes('issueList')}
      list={list}
      columns={columns}
      keep="issues"
      bulk={bulk && { ...bulk, matching: () => call('selectIssues', { query: filtersIn(list.query) }) }}
      onOpen={rights.read ? ({ id }) => navigate(issuePath(id)) : undefined}
      lookOf={({ status, priority, title: text, assignee, comments }) =>
        `${status}|${priority}|${text}|${assignee?.id}|${comments}`
      }
      empty={t(`empty.${tab}`)}
      emptyAction={
        rights.add && tab !== 'closed' ? <LinkButton to={addIssuePath()}>{routes('issueAdd')}</LinkButton> : undefined
      }
      compact={(issue) => (
        <ListCard
          title={
            <>
              <IssuePriorityMark priority={issue.priority} /> {issue.key} {title(issue)}
            </>
          }
          aside={<IssueStatusTag status={issue.status} />}
        >
          <CardLine end={<TimeAgo at={issue.createdAt} />}>
            <Place issue={issue} />
          </CardLine>
          <CardLine end={issue.dueAt === null ? undefined : <IssueDue issue={issue} />}>
            {issue.assignee?.name ?? t('unassigned')}
          </CardLine>
          {issue.labels.length > 0 && <IssueLabels labels={issue.labels} />}
        </ListCard>
      )}
    />
  );
}

function Unassigned() {
  const { t } = useTranslation('issues');
  return <span className="quiet">{t('unassigned')}</span>;
}

/** Where the problem is: the device with its site, or the site, or only the customer. */
function Place({ issue }: { issue: IssueRow }) {
  const { siteId, siteName, deviceId, deviceName, customerId, customerName } = issue;
  const site = siteName !== null && (siteId === null ? siteName : <SiteLink id={siteId} name={siteName} />);
  const device =
    deviceName !== null && (deviceId === null ? deviceName : <DeviceLink id={deviceId} name={deviceName} />);
  if (device && site) {
    return (
      <span className={css.twoLines}>
        <span>{device}</span>
        <span className="quiet">{site}</span>
      </span>
    );
  }
  const place = device || site;
  if (place) return <span>{place}</span>;
  return customerName === '' ? <Dash /> : <CustomerLink id={customerId} name={customerName} />;
}
