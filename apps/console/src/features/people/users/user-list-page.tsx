import type { UserRow } from '@chargehand/contract';
import { type Levels, mayDownloadUsers } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { download } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useListQuery } from '../../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../../shared/lib/list-query.ts';
import { Permitted, usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';
import { type DataColumn, DataTable } from '../../../shared/ui/data-table.tsx';
import { ExportButton } from '../../../shared/ui/export-button.tsx';
import { SearchField } from '../../../shared/ui/list/search-field.tsx';
import { Page } from '../../../shared/ui/page-header.tsx';
import { CustomerPicker, RolePicker } from '../../../shared/ui/pickers.tsx';
import { Emblem } from '../../../shared/ui/stored-picture.tsx';
import { Dash, ExactTime, TimeAgo } from '../../../shared/ui/time-ago.tsx';
import { useUserBulk } from './use-user-bulk.ts';
import { UserActions } from './user-actions.tsx';
import { UserState } from './user-state.tsx';
import '../people.css';

type Status = 'enabled' | 'disabled';
const filters = { search: 'text', customerId: 'number', roleId: 'number', status: 'text' } as const;
const SPEC: ListSpec<typeof filters, 'userName' | 'createdAt'> = { filters, sorts: ['userName', 'createdAt'] };

/** The users in scope: who they are, what they hold, whether they are here. */
export default function UserListPage() {
  const { t } = useTranslation('people');
  const { t: common } = useTranslation();
  const { t: routes } = useTranslation('routes');
  const navigate = useNavigate();
  const mayOpen = usePermitted(['auth_user_detail']);
  const list = useListQuery(SPEC);
  const { status: given, ...rest } = list.query;
  const status = given === 'enabled' || given === 'disabled' ? given : undefined;
  const users = useQuery({
    ...queryOf('listUsers', { query: { ...rest, status } }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const bulk = useUserBulk();
  const mayExport = mayDownloadUsers(useUser().info.role.levels as Levels);
  const seen = (user: UserRow) => (user.lastSeenAt ? <TimeAgo at={user.lastSeenAt} /> : <Dash />);

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
      render: (_, user) => (user.root ? t('user.root') : (user.roleName ?? <Dash />)),
    },
    { name: 'status', title: t('status'), render: (_, user) => <UserState user={user} /> },
    { name: 'sessions', title: t('user.sessions'), dataIndex: 'sessions', align: 'end' },
    { name: 'lastSeen', title: t('user.lastSeen'), render: (_, user) => seen(user) },
    {
      name: 'createdAt',
      title: t('createdAt'),
      sortBy: 'createdAt',
      render: (_, user) => <ExactTime at={user.createdAt} />,
    },
    {
      title: <span className="visually-hidden">{t('actions')}</span>,
      align: 'end',
      render: (_, user) => <UserActions user={user} />,
    },
  ];

  return (
    <Page
      title={routes('userList')}
      actions={
        <>
          {mayExport && (
            <ExportButton
              fetch={(options) => {
                const { page: _page, pageSize: _size, ...filtered } = rest;
                return download('exportUsers', { query: { ...filtered, status } }, options);
              }}
              rows={users.data?.total}
              disabled={users.data?.total === 0}
            />
          )}
          <Permitted codes={['auth_user_add']}>
            <Link to="/manage/user/add">
              <Button type="primary" tabIndex={-1}>
                {t('user.add')}
              </Button>
            </Link>
          </Permitted>
        </>
      }
    >
      <search className="people-filters">
        <SearchField
          className="people-search"
          value={rest.search}
          label={t('user.search')}
          onSearch={(search) => list.change({ search })}
        />
        <CustomerPicker
          value={rest.customerId}
          placeholder={t('customer')}
          onChange={(customerId) => list.change({ customerId })}
        />
        <RolePicker value={rest.roleId} placeholder={t('roleOf')} onChange={(roleId) => list.change({ roleId })} />
        <Select<Status | undefined>
          allowClear
          value={status}
          placeholder={t('status')}
          aria-label={t('status')}
          options={[
            { value: 'enabled', label: t('enabled') },
            { value: 'disabled', label: t('disabled') },
          ]}
          onChange={(next) => list.change({ status: next })}
        />
        {list.filtered && (
          <button type="button" className="text-button" onClick={list.clear}>
            {common('table.clear')}
          </button>
        )}
      </search>
      <DataTable
        label={routes('userList')}
        query={users}
        list={list}
        columns={columns}
        rowKey="id"
        keep="users"
        bulk={bulk}
        onOpen={mayOpen ? (user) => navigate(`/manage/user/detail/${user.id}`) : undefined}
        empty={{ text: t('user.empty') }}
        compact={(user) => (
          <div className="people-card">
            <div className="people-card-line">
              <strong>{user.nickName ? `${user.userName} · ${user.nickName}` : user.userName}</strong>
              <UserActions user={user} />
            </div>
            <div className="quiet">
              {user.customerName} · {user.root ? t('user.root') : user.roleName}
            </div>
            <div className="people-card-line quiet">
              <UserState user={user} />
              <span className="people-card-end">{seen(user)}</span>
            </div>
          </div>
        )}
      />
    </Page>
  );
}
