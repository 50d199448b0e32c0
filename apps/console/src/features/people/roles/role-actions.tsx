import type { RoleRow } from '@chargehand/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { MoreMenu } from '../../../shared/ui/dialogs/more-menu.tsx';
import { DeleteRoleDialog, NewRoleDialog, RenameRoleDialog } from './role-dialogs.tsx';

/**
 * The actions of a role. Actions that the server would reject because the role has more rights than the user are not
 * offered.
 */
export function RoleActions({ role }: { role: RoleRow }) {
  const { t } = useTranslation('people');
  const navigate = useNavigate();
  const roleNameOf = useRoleName();
  const mayData = usePermitted(['auth_role_authData']);
  const mayMenus = usePermitted(['auth_role_authMenu']);
  const mayLog = usePermitted(['auth_logs_action']);
  const [dialog, setDialog] = useState<'copy' | 'rename' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const go = (path: string) => () => navigate(path);
  const edits = mayData && role.grantable;

  const items = [
    mayMenus && { key: 'menus', label: t('role.toMenus'), onClick: go(`/manage/role/auth/menu/${role.id}`) },
    mayData && { key: 'data', label: t('role.toData'), onClick: go(`/manage/role/auth/data/${role.id}`) },
    edits && { key: 'rename', label: t('role.rename'), onClick: () => setDialog('rename') },
    edits && { key: 'copy', label: t('role.copy'), onClick: () => setDialog('copy') },
    mayLog && { key: 'log', label: t('history'), onClick: go(`/manage/logs/action/role/${role.id}`) },
    edits && { key: 'delete', label: t('delete'), danger: true, onClick: () => setDialog('delete') },
  ].filter((item) => item !== false);
  if (items.length === 0) return null;
  return (
    <>
      <MoreMenu items={items} label={t('actionsOf', { name: roleNameOf(role.name) })} />
      {dialog === 'copy' && <NewRoleDialog original={role} onClose={close} />}
      {dialog === 'rename' && <RenameRoleDialog role={role} onClose={close} />}
      {dialog === 'delete' && <DeleteRoleDialog role={role} onClose={close} />}
    </>
  );
}
