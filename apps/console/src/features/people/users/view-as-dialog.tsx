import type { UserRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { changeIdentity } from '../../../shared/session/identity.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';

/** Asks before an impersonation starts, after which everything is fetched again as that user. */
export function ViewAsDialog({ user, onClose }: { user: Pick<UserRow, 'id' | 'userName'>; onClose(): void }) {
  const { t } = useTranslation('people');
  return (
    <Confirm
      title={t('user.view.title', { name: user.userName })}
      ok={t('user.view.ok')}
      run={() =>
        changeIdentity(() => call('startImpersonation', { params: { id: user.id }, body: {} }, { quiet: true }), '/')
      }
      onDone={onClose}
      onClose={onClose}
    >
      <p>{t('user.view.text')}</p>
      <p>{t('user.view.logged')}</p>
    </Confirm>
  );
}
