import { useMutation } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../shared/api/client.ts';
import { queryClient } from '../../shared/api/query.ts';
import { signOut } from '../../shared/session/account.ts';
import { session } from '../../shared/session/session.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { PrivacyFrame } from '../../shared/ui/page/privacy-frame.tsx';

/** Blocks the console until the privacy policy is accepted or the user signs out (spec §2, §4). */
export default function PrivacyDialog() {
  const { t } = useTranslation('access');
  const { info } = useUser();
  const navigate = useNavigate();
  const [read, setRead] = useState(false);
  const version = info.privacy.newPrivacyPolicyVersion;
  const accept = useMutation({
    mutationFn: () => call('acceptPrivacy', { body: { version: version ?? 1 } }),
    onSuccess: () => {
      const now = session.get();
      if (now.status !== 'signedIn') return;
      session.set({ ...now, info: { ...now.info, privacy: { ...now.info.privacy, needConfirm: false } } });
      // Repeats the requests that were rejected in the meantime.
      void queryClient.invalidateQueries();
    },
  });
  async function leave() {
    await signOut();
    await navigate('/login');
  }
  return (
    <PrivacyFrame
      text={info.privacy.content}
      footer={
        <div className="privacy-actions">
          <Checkbox checked={read} onChange={(event) => setRead(event.target.checked)}>
            {t('privacy.read')}
          </Checkbox>
          <Button onClick={() => void leave()}>{t('privacy.signOut')}</Button>
          <Button type="primary" disabled={!read} loading={accept.isPending} onClick={() => accept.mutate()}>
            {t('privacy.accept')}
          </Button>
        </div>
      }
    />
  );
}
