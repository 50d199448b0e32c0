import type { UserRow } from '@chargehand/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';
import { MoreMenu } from '../../../shared/ui/dialogs/more-menu.tsx';
import { useUserRights } from '../use-user-rights.ts';
import { ResetPasswordDialog } from './reset-password-dialog.tsx';
import { type Change, ChangeDialog } from './user-dialogs.tsx';
import { ViewAsDialog } from './view-as-dialog.tsx';

type Subject = Pick<UserRow, 'id' | 'userName' | 'enabled' | 'root' | 'passwordState'> & {
  /** known on the page of the user: sign-in requires a code */
  secondFactor?: boolean;
};

/** The actions of a user. The user's own account cannot be disabled, reset or deleted. */
export function UserActions({ user, onDeleted }: { user: Subject; onDeleted?: () => void }) {
  const { t } = useTranslation('people');
  const navigate = useNavigate();
  const reader = useUser().user;
  const rights = useUserRights();
  const edits = rights.edit && (reader.root || !user.root);
  const assigns = rights.assign && !user.root;
  const mayLog = usePermitted(['auth_logs_action']);
  const [dialog, setDialog] = useState<Change | 'password' | 'view' | null>(null);
  const other = edits && reader.id !== user.id;
  const views = reader.root && !user.root && user.enabled;
  const go = (path: string) => () => navigate(path);
  const ask = (key: Change | 'password', label: string, danger = false) => ({
    ...{ key, label, danger },
    onClick: () => setDialog(key),
  });

  const items = [
    edits && { key: 'edit', label: t('edit'), onClick: go(`/manage/user/update/${user.id}`) },
    assigns && { key: 'assign', label: t('user.assign'), onClick: go(`/manage/user/auth/${user.id}`) },
    other && user.enabled && user.passwordState === 'invited' && ask('invite', t('first.invite')),
    other && ask('password', t('user.resetPassword')),
    other && user.secondFactor && ask('resetFactor', t('user.resetFactor')),
    rights.signOut && (reader.root || !user.root) && reader.id !== user.id && ask('signOut', t('user.signOut')),
    other && (user.enabled ? ask('disable', t('disable')) : ask('enable', t('enable'))),
    views && { key: 'view', label: t('user.viewAs'), onClick: () => setDialog('view') },
    mayLog && { key: 'log', label: t('history'), onClick: go(`/manage/logs/action/user/${user.id}`) },
    other && ask('delete', t('delete'), true),
  ].filter((item) => item !== false && item !== undefined);
  if (items.length === 0) return null;
  const close = () => setDialog(null);
  return (
    <>
      <MoreMenu items={items} label={t('actionsOf', { name: user.userName })} type={onDeleted ? 'default' : 'text'} />
      {dialog === 'password' && <ResetPasswordDialog user={user} onClose={close} />}
      {dialog === 'view' && <ViewAsDialog user={user} onClose={close} />}
      {dialog !== null && dialog !== 'password' && dialog !== 'view' && (
        <ChangeDialog change={dialog} user={user} onClose={close} onDeleted={onDeleted} />
      )}
    </>
  );
}
