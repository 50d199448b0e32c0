import type { UserInfo } from '@chargehand/contract';
import { formatTime } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { changeIdentity } from '../../shared/session/identity.ts';
import './viewing-banner.css';

/** Says on every screen whose eyes one looks through, since when and until when; and the way back to oneself. */
export function ViewingBanner({ viewing, userId }: { viewing: NonNullable<UserInfo['viewing']>; userId: number }) {
  const { t } = useTranslation('access');
  const stop = useMutation({
    mutationFn: () => changeIdentity(() => call('stopViewing', { body: {} }), `/manage/user/detail/${userId}`),
  });
  const clock = (at: string) => formatTime(new Date(at)).slice(11, 16);
  return (
    <div className="viewing-banner" role="status">
      <p>
        <strong>{t('impersonation.as', { name: viewing.userName })}</strong>{' '}
        <span>
          {t('impersonation.note', {
            viewer: viewing.viewerName,
            since: clock(viewing.since),
            until: clock(viewing.until),
          })}
        </span>
      </p>
      <Button size="small" loading={stop.isPending} onClick={() => stop.mutate()}>
        {t('impersonation.stop')}
      </Button>
    </div>
  );
}
