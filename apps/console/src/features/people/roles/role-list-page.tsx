import type { RoleRow } from '@chargehand/contract';
import { type Levels, mayDownloadUsers } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
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
import { ExactTime } from '../../../shared/ui/time-ago.tsx';
import { RoleActions } from './role-actions.tsx';
import { NewRoleDialog } from './role-dialogs.tsx';
import '../people.css';

const filters = { search: 'text' } as const;
const SPEC: ListSpec<typeof filters, 'name' | 'createdAt'> = { filters, sorts: ['name', 'createdAt'] };

/** Every role: how far it reaches, and how many hold it. */
export default function RoleListPage() {
  const { t } = useTranslation('people');
  const { t: routes } = useTranslation('routes');
  const navigate = useNavigate();
  const mayEdit = usePermitted(['auth_role_authData']);
  const mayCountUsers = usePermitted(['auth_user_list']);
  const mayExport = mayDownloadUsers(useUser().info.role.levels as Levels);
  const [adds, setAdds] = useState(false);
  const list = useListQuery(SPEC);
  const roles = useQuery({
    ...queryOf('listRoles', { query: list.query }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const access = (role: RoleRow) =>
    `${t(`customerAccess.${role.customerAccess as 0}`)} · ${t(`siteAccess.${role.siteAccess as 0}`)}`;
  const holders = (role: RoleRow) =>
    mayCountUsers && role.users > 0 ? (
      <Link to={`/manage/user/list?roleId=${role.id}`}>{t('role.userCount', { count: role.users })}</Link>
    ) : (
      t('role.userCount', { count: role.users })
    );

  const columns: DataColumn<RoleRow, 'name' | 'createdAt'>[] = [
    {
      name: 'name',
      always: true,
      title: t('name'),
      sortBy: 'name',
      render: (_, role) => <strong className="people-name">{role.name}</strong>,
    },
    { name: 'reach', title: t('role.reach'), render: (_, role) => access(role) },
    {
      name: 'remoteAccess',
      title: t('role.remoteAccess'),
      render: (_, role) => t(`remoteAccess.${role.remoteAccess as 0}`),
    },
    { name: 'menus', title: t('role.menus'), dataIndex: 'menus', align: 'end' },
    { name: 'users', title: t('role.users'), render: (_, role) => holders(role), align: 'end' },
    {
      name: 'createdAt',
      title: t('createdAt'),
      sortBy: 'createdAt',
      render: (_, role) => <ExactTime at={role.createdAt} />,
    },
    {
      title: <span className="visually-hidden">{t('actions')}</span>,
      align: 'end',
      render: (_, role) => <RoleActions role={role} />,
    },
  ];
  return (
    <Page
      title={routes('roleList')}
      actions={
        <>
          {mayExport && (
            <ExportButton
              fetch={(options) => {
                const { sort, search } = list.query;
                return download('exportRoles', { query: { sort, search } }, options);
              }}
              rows={roles.data?.total}
              disabled={roles.data?.total === 0}
            />
          )}
          <Permitted codes={['auth_role_authData']}>
            <Button type="primary" onClick={() => setAdds(true)}>
              {t('role.add')}
            </Button>
          </Permitted>
        </>
      }
    >
      <search className="people-filters">
        <SearchField
          className="people-search"
          value={list.query.search}
          label={t('role.search')}
          onSearch={(search) => list.change({ search })}
        />
      </search>
      <DataTable
        label={routes('roleList')}
        query={roles}
        list={list}
        columns={columns}
        rowKey="id"
        keep="roles"
        onOpen={mayEdit ? (role) => navigate(`/manage/role/auth/data/${role.id}`) : undefined}
        empty={{ text: t('role.empty') }}
        compact={(role) => (
          <div className="people-card">
            <div className="people-card-line">
              <strong>{role.name}</strong>
              <RoleActions role={role} />
            </div>
            <div className="quiet">{access(role)}</div>
            <div className="people-card-line quiet">
              <span>{holders(role)}</span>
              <span className="people-card-end">{t('role.menuCount', { count: role.menus })}</span>
            </div>
          </div>
        )}
      />
      {adds && <NewRoleDialog onClose={() => setAdds(false)} />}
    </Page>
  );
}
