import type { OnlineRow } from '@chargehand/contract';
import { POLL_MS } from '@chargehand/contract/constants';
import { type Levels, mayDownloadUsers } from '@chargehand/domain';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { download } from '../../../shared/api/client.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { usePageTitle } from '../../../shared/hooks/use-page-title.ts';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';
import type { DataColumn } from '../../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListPage } from '../../../shared/ui/list-page/list-page.tsx';
import { CustomerPicker } from '../../../shared/ui/list-page/pickers.tsx';
import { Browser } from '../../../shared/ui/values/browser.tsx';
import { Dash, ExactTime, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { type Kick, KickDialog } from './kick-dialog.tsx';
import { OnlineActions } from './online-actions.tsx';
import '../people.module.css';

type Sort = 'userName' | 'since' | 'lastSeenAt';
const filters = { search: 'text', customerId: 'number' } as const;
const SPEC: ListSpec<typeof filters, Sort> = { filters, sorts: ['userName', 'since', 'lastSeenAt'] };

/** Online users with address, sign-in time and last page, and a button to end a session with a reason. */
export default function OnlineUsersPage() {
  const { t } = useTranslation('online');
  const { t: people } = useTranslation('people');
  const { t: routes } = useTranslation('routes');
  const mayOpen = usePermitted(['auth_user_detail']);
  const mayExport = mayDownloadUsers(useUser().info.role.levels as Levels);
  const [kick, setKick] = useState<Kick | null>(null);
  const titleOf = usePageTitle();
  // The live stream reports sign-ins and sign-outs, but not page changes, so the list is also fetched at an interval.
  const list = useList(SPEC, 'listOnline', (query) => ({ query }), { refetchInterval: POLL_MS });
  const name = (row: OnlineRow) =>
    mayOpen ? <Link to={`/manage/user/detail/${row.userId}`}>{row.userName}</Link> : row.userName;
  const roleNameOf = useRoleName();
  const role = (row: OnlineRow) => (row.root ? people('user.root') : (roleNameOf(row.roleName) ?? <Dash />));
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
  ];

  return (
    <ListPage
      title={routes('online')}
      note={list.answer && t('count', { count: list.answer.total })}
      list={list}
      search={t('search')}
      filters={<CustomerPicker placeholder={people('customer')} {...list.field('customerId')} />}
      onExport={mayExport ? (query, options) => download('exportOnline', { query }, options) : undefined}
      columns={columns}
      rowActions={(row) => <OnlineActions row={row} onKick={setKick} />}
      keep="onlineSessions"
      empty={t('empty')}
      compact={(row) => (
        <ListCard title={name(row)} aside={<OnlineActions row={row} onKick={setKick} />}>
          <CardLine>
            {row.customerName} · {role(row)}
          </CardLine>
          <CardLine>
            <span className="mono">{row.address}</span> <Browser userAgent={row.userAgent} />
          </CardLine>
          <CardLine end={<TimeAgo at={row.lastSeenAt} />}>{page(row)}</CardLine>
        </ListCard>
      )}
    >
      {kick && <KickDialog kick={kick} onClose={() => setKick(null)} />}
    </ListPage>
  );
}
