import type { UserRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';

/** An action on a user after one confirmation. */
export type Change = 'enable' | 'disable' | 'invite' | 'signOut' | 'delete' | 'resetFactor';

interface Props {
  change: Change;
  user: Pick<UserRow, 'id' | 'userName'>;
  onClose(): void;
  /** called after the user was deleted, to leave the page */
  onDeleted: (() => void) | undefined;
}

/** Asks for confirmation, runs the action, and reports the result. */
export function ChangeDialog({ change, user, onClose, onDeleted }: Props) {
  const { t } = useTranslation('people');
  const name = user.userName;
  const { mailsDelivered } = useUser().info.settings;
  return (
    <Confirm
      title={t(`user.change.${change}.title`, { name })}
      ok={t(`user.change.${change}.ok`)}
      danger={change === 'disable' || change === 'delete' || change === 'resetFactor'}
      run={() => run(change, user.id)}
      onDone={() => {
        toast.success(t(`user.change.${change}.done`, { name }));
        onClose();
        if (change === 'delete') onDeleted?.();
        void (change === 'delete' ? refresh('listUsers') : refresh('listUsers', 'readUser'));
      }}
      onClose={onClose}
    >
      <p>{t(`user.change.${change}.text`)}</p>
      {change === 'invite' && !mailsDelivered && <p className="warning-note">{t('first.notSent')}</p>}
    </Confirm>
  );
}

function run(change: Change, id: number): Promise<unknown> {
  const params = { id };
  const quiet = { quiet: true };
  switch (change) {
    case 'enable':
      return call('enableUser', { params, body: {} }, quiet);
    case 'disable':
      return call('disableUser', { params, body: {} }, quiet);
    case 'invite':
      return call('inviteUser', { params, body: {} }, quiet);
    case 'signOut':
      return call('signOutUser', { params, body: {} }, quiet);
    case 'resetFactor':
      return call('resetSecondFactor', { params, body: {} }, quiet);
    case 'delete':
      return call('deleteUser', { params }, quiet);
  }
}
