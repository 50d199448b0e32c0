import type { UserRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { call, download } from '../../../shared/api/client.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import { filtersIn, type ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import type { DataColumn } from '../../../shared/ui/list-page/data-table.tsx';
import { FilterSelect } from '../../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListPage } from '../../../shared/ui/list-page/list-page.tsx';
import { CustomerPicker, RolePicker } from '../../../shared/ui/list-page/pickers.tsx';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { Emblem } from '../../../shared/ui/pictures/stored-picture.tsx';
import { Dash, ExactTime, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { useUserRights } from '../use-user-rights.ts';
import { useUserBulk } from './use-user-bulk.ts';
import { UserActions } from './user-actions.tsx';
import { UserState } from './user-state.tsx';
import '../people.module.css';

const STATES = ['enabled', 'disabled'] as const;
const filters = { search: 'text', customerId: 'number', roleId: 'number', status: STATES } as const;
const SPEC: ListSpec<typeof filters, 'userName' | 'createdAt'> = { filters, sorts: ['userName', 'createdAt'] };

/** The users in scope: profile, role, and whether they are online. */
export default function UserListPage() {
  const { t } = useTranslation('people');
  const roleNameOf = useRoleName();
  const { t: routes } = useTranslation('routes');
  const navigate = useNavigate();
  const mayOpen = usePermitted(['auth_user_detail']);
  const list = useList(SPEC, 'listUsers', (query) => ({ query }));
  const bulk = useUserBulk();
  const rights = useUserRights();
  const lastSeen = (user: UserRow) => (user.lastSeenAt ? <TimeAgo at={user.lastSeenAt} /> : <Dash />);

  const columns: DataColumn<UserRow, 'userName' | 'createdAt'>[] = [
    {
      name: 'userName',
      always: true,
      title: t('userName'),
      sortBy: 'userName',
      render: (_, user) =>
        mayOpen ? (
          <Link className="with-emblem" to={`/manage/user/detail/${user.id}`}>
            <Emblem of={user.avatar} name={user.nickName || user.userName} size={20} round />
            {user.userName}
          </Link>
        ) : (
          user.userName
        ),
    },
    { name: 'nickName', title: t('nickName'), render: (_, user) => user.nickName || <Dash /> },
    { name: 'customer', title: t('customer'), dataIndex: 'customerName' },
    {
      name: 'role',
      title: t('roleOf'),
      render: (_, user) => (user.root ? t('user.root') : (roleNameOf(user.roleName) ?? <Dash />)),
    },
    { name: 'status', title: t('status'), render: (_, user) => <UserState user={user} /> },
    { name: 'sessions', title: t('user.sessions'), dataIndex: 'sessions', align: 'end' },
    { name: 'lastSeen', title: t('user.lastSeen'), render: (_, user) => lastSeen(user) },
    {
      name: 'createdAt',
      title: t('createdAt'),
      sortBy: 'createdAt',
      render: (_, user) => <ExactTime at={user.createdAt} />,
    },
  ];

  return (
    <ListPage
      title={routes('userList')}
      list={list}
      search={t('user.search')}
      filters={
        <>
          <CustomerPicker placeholder={t('customer')} {...list.field('customerId')} />
          <RolePicker placeholder={t('roleOf')} {...list.field('roleId')} />
          <FilterSelect
            label={t('status')}
            options={STATES.map((value) => ({ value, label: t(value) }))}
            {...list.field('status')}
          />
        </>
      }
      onExport={rights.export ? (query, options) => download('exportUsers', { query }, options) : undefined}
      actions={
        rights.add && (
          <LinkButton to="/manage/user/add" primary>
            {t('user.add')}
          </LinkButton>
        )
      }
      columns={columns}
      rowActions={(user) => <UserActions user={user} />}
      keep="users"
      bulk={bulk && { ...bulk, matching: () => call('selectUsers', { query: filtersIn(list.query) }) }}
      onOpen={mayOpen ? (user) => navigate(`/manage/user/detail/${user.id}`) : undefined}
      empty={t('user.empty')}
      compact={(user) => (
        <ListCard
          title={user.nickName ? `${user.userName} · ${user.nickName}` : user.userName}
          aside={<UserActions user={user} />}
        >
          <CardLine>
            {user.customerName} · {user.root ? t('user.root') : roleNameOf(user.roleName)}
          </CardLine>
          <CardLine end={lastSeen(user)}>
            <UserState user={user} />
          </CardLine>
        </ListCard>
      )}
    />
  );
}
