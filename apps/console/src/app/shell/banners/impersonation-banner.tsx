import type { UserInfo } from '@chargehand/contract';
import { formatTime } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { changeIdentity } from '../../../shared/session/identity.ts';
import './impersonation-banner.css';

/** Shows on every page whose view is shown, since when and until when, and a button to end the impersonation. */
export default function ImpersonationBanner({
  impersonation,
  userId,
}: {
  impersonation: NonNullable<UserInfo['viewing']>;
  userId: number;
}) {
  const { t } = useTranslation('access');
  const stop = useMutation({
    mutationFn: () => changeIdentity(() => call('stopImpersonation', { body: {} }), `/manage/user/detail/${userId}`),
  });
  const clock = (at: string) => formatTime(new Date(at)).slice(11, 16);
  return (
    <div className="impersonation-banner" role="status">
      <p>
        <strong>{t('impersonation.as', { name: impersonation.userName })}</strong>{' '}
        <span>
          {t('impersonation.note', {
            viewer: impersonation.viewerName,
            since: clock(impersonation.since),
            until: clock(impersonation.until),
          })}
        </span>
      </p>
      <Button size="small" loading={stop.isPending} onClick={() => stop.mutate()}>
        {t('impersonation.stop')}
      </Button>
    </div>
  );
}
