import { formatTime } from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { ApiProblem } from '../../shared/api/problem.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { Describe } from '../../shared/ui/values/describe.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import { MailState } from './mail-state.tsx';
import { TextWithLinks } from './text-with-links.tsx';

/**
 * A mail with its text. It is fetched once when opened, because reading an active link is recorded in the action log.
 */
export function MailDrawer({ id, delivers, onClose }: { id: number; delivers: boolean; onClose(): void }) {
  const { t } = useTranslation('mails');
  const { t: common } = useTranslation();
  const mail = useQuery({
    ...queryOf('readMail', { params: { id } }, { quiet: true }),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: 0,
  });
  const send = useMutation({
    mutationFn: () => call('sendMailAgain', { params: { id }, body: {} }, { quiet: true }),
    onSuccess: async () => {
      toast.success(t('queued', { receiver: mail.data?.receiver ?? '' }));
      await refresh('listMails');
      onClose();
    },
  });
  const { data } = mail;
  return (
    <Drawer
      open
      onClose={onClose}
      size={620}
      title={data?.subject ?? ''}
      extra={
        delivers &&
        data?.text && (
          <Button loading={send.isPending} onClick={() => send.mutate()}>
            {data.state === 'waiting' ? t('sendNow') : t('sendAgain')}
          </Button>
        )
      }
    >
      {!data &&
        (mail.isError ? <ErrorState error={mail.error} onRetry={() => void mail.refetch()} /> : <SkeletonRows />)}
      {data && (
        <div className="stack">
          {send.error instanceof ApiProblem && (
            <p className="error-note" role="alert">
              {send.error.message}
            </p>
          )}
          <Describe
            items={[
              { key: 'receiver', label: t('receiver'), value: data.receiver },
              { key: 'state', label: t('state'), value: <MailState state={data.state} delivers={delivers} /> },
              { key: 'language', label: t('language'), value: common(`language.${data.locale}`) },
              { key: 'createdAt', label: t('createdAt'), value: <ExactTime at={data.createdAt} /> },
              { key: 'sentAt', label: t('sentAt'), value: <ExactTime at={data.sentAt} /> },
              { key: 'attempts', label: t('attempts'), value: data.attempts },
              { key: 'next', label: t('nextAttempt'), value: <ExactTime at={data.nextAttemptAt} /> },
            ]}
          />
          {data.lastError && (
            <p className="error-note">
              {t('lastError')}: {data.lastError}
            </p>
          )}
          {data.text === null ? (
            <p className="warning-note">{t('purged')}</p>
          ) : (
            <>
              {data.secretUntil && (
                <p className="warning-note">{t('secret', { until: formatTime(data.secretUntil) })}</p>
              )}
              <section aria-label={t('text')}>
                <TextWithLinks text={data.text} />
              </section>
            </>
          )}
        </div>
      )}
    </Drawer>
  );
}
