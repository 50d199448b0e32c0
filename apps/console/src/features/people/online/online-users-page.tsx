import { type OnlineRow, POLL_MS } from '@chargehand/contract';
import { type Levels, mayDownloadUsers } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { download } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useListQuery } from '../../../shared/hooks/use-list-query.ts';
import { usePageTitle } from '../../../shared/hooks/use-page-title.ts';
import type { ListSpec } from '../../../shared/lib/list-query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';
import { Browser } from '../../../shared/ui/browser.tsx';
import { type DataColumn, DataTable } from '../../../shared/ui/data-table.tsx';
import { ExportButton } from '../../../shared/ui/export-button.tsx';
import { SearchField } from '../../../shared/ui/list/search-field.tsx';
import { Page } from '../../../shared/ui/page-header.tsx';
import { CustomerPicker } from '../../../shared/ui/pickers.tsx';
import { Dash, ExactTime, TimeAgo } from '../../../shared/ui/time-ago.tsx';
import { type Kick, KickDialog } from './kick-dialog.tsx';
import { OnlineActions } from './online-actions.tsx';
import '../people.css';

type Sort = 'userName' | 'since' | 'lastSeenAt';
const filters = { search: 'text', customerId: 'number' } as const;
const SPEC: ListSpec<typeof filters, Sort> = { filters, sorts: ['userName', 'since', 'lastSeenAt'] };

/** Who is signed in now: from where, since when, last seen on what page; and the way to end it with a reason. */
export default function OnlineUsersPage() {
  const { t } = useTranslation('online');
  const { t: people } = useTranslation('people');
  const { t: common } = useTranslation();
  const { t: routes } = useTranslation('routes');
  const mayOpen = usePermitted(['auth_user_detail']);
  const mayExport = mayDownloadUsers(useUser().info.role.levels as Levels);
  const [kick, setKick] = useState<Kick | null>(null);
  const titleOf = usePageTitle();
  const list = useListQuery(SPEC);
  const online = useQuery({
    ...queryOf('listOnline', { query: list.query }, { quiet: true }),
    placeholderData: keepPreviousData,
    // Sign-ins and sign-outs are told by the stream; that somebody went to another page is not.
    refetchInterval: POLL_MS,
  });
  const { search, customerId, sort } = list.query;
  const name = (row: OnlineRow) =>
    mayOpen ? <Link to={`/manage/user/detail/${row.userId}`}>{row.userName}</Link> : row.userName;
  const role = (row: OnlineRow) => (row.root ? people('user.root') : (row.roleName ?? <Dash />));
  const page = ({ page }: OnlineRow) => (page === null ? <Dash /> : <span title={page}>{titleOf(page)}</span>);

  const columns: DataColumn<OnlineRow, Sort>[] = [
    { name: 'userName', always: true, title: people('userName'), sortBy: 'userName', render: (_, row) => name(row) },
    { name: 'nickName', title: people('nickName'), render: (_, row) => row.nickName || <Dash /> },
    { name: 'customer', title: people('customer'), dataIndex: 'customerName' },
    { name: 'role', title: people('roleOf'), render: (_, row) => role(row) },
    { name: 'address', title: t('address'), render: (_, row) => <span className="mono">{row.address}</span> },
    { name: 'browser', title: t('browser'), render: (_, row) => <Browser userAgent={row.userAgent} /> },
    { name: 'since', title: t('since'), sortBy: 'since', render: (_, row) => <ExactTime at={row.since} /> },
    {
      name: 'lastSeen',
      title: t('lastSeen'),
      sortBy: 'lastSeenAt',
      render: (_, row) => <TimeAgo at={row.lastSeenAt} />,
    },
    { name: 'page', title: t('page'), render: (_, row) => page(row) },
    {
      title: <span className="visually-hidden">{people('actions')}</span>,
      align: 'end',
      render: (_, row) => <OnlineActions row={row} onKick={setKick} />,
    },
  ];

  return (
    <Page
      title={routes('online')}
      note={online.data && t('count', { count: online.data.total })}
      actions={
        mayExport && (
          <ExportButton
            fetch={(options) => download('exportOnline', { query: { search, customerId, sort } }, options)}
            rows={online.data?.total}
            disabled={online.data?.total === 0}
          />
        )
      }
    >
      <search className="people-filters">
        <SearchField
          className="people-search"
          value={search}
          label={t('search')}
          onSearch={(search) => list.change({ search })}
        />
        <CustomerPicker
          value={customerId}
          placeholder={people('customer')}
          onChange={(next) => list.change({ customerId: next })}
        />
        {list.filtered && (
          <button type="button" className="text-button" onClick={list.clear}>
            {common('table.clear')}
          </button>
        )}
      </search>
      <DataTable
        label={routes('online')}
        keep="onlineSessions"
        query={online}
        list={list}
        columns={columns}
        rowKey="id"
        empty={{ text: t('empty') }}
        compact={(row) => (
          <div className="people-card">
            <div className="people-card-line">
              <strong>{name(row)}</strong>
              <OnlineActions row={row} onKick={setKick} />
            </div>
            <div className="quiet">
              {row.customerName} · {role(row)}
            </div>
            <div className="quiet">
              <span className="mono">{row.address}</span> · <Browser userAgent={row.userAgent} />
            </div>
            <div className="people-card-line quiet">
              {page(row)}
              <span className="people-card-end">
                <TimeAgo at={row.lastSeenAt} />
              </span>
            </div>
          </div>
        )}
      />
      {kick && <KickDialog kick={kick} onClose={() => setKick(null)} />}
    </Page>
  );
}
