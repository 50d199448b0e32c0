import type { SendRow } from '@chargehand/contract';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { Copyable } from '../../../shared/ui/values/copyable.tsx';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { Dash, ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from './channels.module.css';
import { MessageSendState } from './send-state.tsx';

/** A message to a receiver: its state, and what the receiving server answered to each attempt. */
export function SendDialog({ send, onClose }: { send: SendRow; onClose(): void }) {
  const { t } = useTranslation('channels');
  const { t: common } = useTranslation();
  const { t: messages } = useTranslation('messages');
  const timeOf = (at: string | null) => (at === null ? <Dash /> : <ExactTime at={at} />);
  return (
    <Dialog
      title={send.receiver}
      footer={<Button onClick={onClose}>{common('close')}</Button>}
      onCancel={onClose}
      width={640}
    >
      <div className="dialog-text">
        <Describe
          items={[
            { key: 'state', label: t('state'), value: <MessageSendState state={send.state} /> },
            { key: 'hint', label: t('meaning'), value: t(`stateHints.${send.state}`) },
            { key: 'channel', label: t('channel'), value: t(`channels.${send.channel}`) },
            {
              key: 'type',
              label: t('type'),
              value: send.type === null ? t('testMessage') : messages(`types.${send.type}`),
            },
            { key: 'subject', label: t('subject'), value: send.subject ?? <Dash /> },
            { key: 'created', label: t('created'), value: timeOf(send.createdAt) },
            { key: 'sent', label: t('sentAt'), value: timeOf(send.sentAt) },
            {
              key: 'next',
              label: t('nextAttempt'),
              value: timeOf(send.state === 'waiting' ? send.nextAttemptAt : null),
            },
            { key: 'id', label: t('messageId'), value: <Copyable text={send.messageId} /> },
          ]}
        />
        <h3 className={css.heading}>{t('attempts', { count: send.attemptCount })}</h3>
        {send.attempts.length > 0 && (
          <ol className={css.attempts}>
            {send.attempts.map(({ at, status, answer }) => (
              <li key={at}>
                <ExactTime at={at} /> {status !== null && <span className="mono">{status}</span>} <span>{answer}</span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Dialog>
  );
}
