import type { RoleRow } from '@chargehand/contract';
import { type Levels, mayDownloadUsers } from '@chargehand/domain';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { download } from '../../../shared/api/client.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { Permitted, usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';
import type { DataColumn } from '../../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListPage } from '../../../shared/ui/list-page/list-page.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from '../people.module.css';
import { RoleActions } from './role-actions.tsx';
import { NewRoleDialog } from './role-dialogs.tsx';

const filters = { search: 'text' } as const;
const SPEC: ListSpec<typeof filters, 'name' | 'createdAt'> = { filters, sorts: ['name', 'createdAt'] };

/** All roles with their scope and number of users. */
export default function RoleListPage() {
  const { t } = useTranslation('people');
  const roleNameOf = useRoleName();
  const { t: routes } = useTranslation('routes');
  const navigate = useNavigate();
  const mayEdit = usePermitted(['auth_role_authData']);
  const mayCountUsers = usePermitted(['auth_user_list']);
  const mayExport = mayDownloadUsers(useUser().info.role.levels as Levels);
  const [adds, setAdds] = useState(false);
  const list = useList(SPEC, 'listRoles', (query) => ({ query }));
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
      render: (_, role) => <strong className={css.peopleName}>{roleNameOf(role.name)}</strong>,
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
  ];
  return (
    <ListPage
      title={routes('roleList')}
      list={list}
      search={t('role.search')}
      onExport={mayExport ? (query, options) => download('exportRoles', { query }, options) : undefined}
      actions={
        <Permitted codes={['auth_role_authData']}>
          <Button type="primary" onClick={() => setAdds(true)}>
            {t('role.add')}
          </Button>
        </Permitted>
      }
      columns={columns}
      rowActions={(role) => <RoleActions role={role} />}
      keep="roles"
      onOpen={mayEdit ? (role) => navigate(`/manage/role/auth/data/${role.id}`) : undefined}
      empty={t('role.empty')}
      compact={(role) => (
        <ListCard title={roleNameOf(role.name)} aside={<RoleActions role={role} />}>
          <CardLine>{access(role)}</CardLine>
          <CardLine end={t('role.menuCount', { count: role.menus })}>{holders(role)}</CardLine>
        </ListCard>
      )}
    >
      {adds && <NewRoleDialog onClose={() => setAdds(false)} />}
    </ListPage>
  );
}
