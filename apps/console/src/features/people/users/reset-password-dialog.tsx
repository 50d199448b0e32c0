import type { UserRow } from '@chargehand/contract';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { sealAnswer } from '../../../shared/api/seal.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { Copyable } from '../../../shared/ui/values/copyable.tsx';

/** Sets a new password for a user and shows it once. */
export function ResetPasswordDialog({ user, onClose }: { user: Pick<UserRow, 'id' | 'userName'>; onClose(): void }) {
  const { t } = useTranslation('people');
  const [password, setPassword] = useState<string | null>(null);
  if (password === null) {
    return (
      <Confirm
        title={t('user.reset.title', { name: user.userName })}
        ok={t('user.resetPassword')}
        danger
        run={async () => {
          const key = await sealAnswer();
          const body = { answerKey: key.sealed };
          const answer = await call('resetPassword', { params: { id: user.id }, body }, { quiet: true });
          setPassword(await key.open(answer.password));
        }}
        onDone={() => void refresh('listUsers', 'readUser')}
        onClose={onClose}
      >
        <p>{t('user.reset.text')}</p>
      </Confirm>
    );
  }
  return (
    <Dialog
      title={t('user.reset.doneTitle', { name: user.userName })}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('user.reset.noted')}
        </Button>
      }
      width={460}
    >
      <div className="dialog-text">
        <p>{t('user.reset.doneText')}</p>
        <div className="first-password">
          <Copyable text={password} />
        </div>
      </div>
    </Dialog>
  );
}
