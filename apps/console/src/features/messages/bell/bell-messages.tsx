import type { MessageRow } from '@chargehand/contract';
import { BELL_ROWS } from '@chargehand/contract/constants';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useMessagePoll } from '../../../shared/live/use-message-poll.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';
import { lazyDialog } from '../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { markMessages, newestOf, useMarkOpened } from '../shared/mark-messages.ts';
import {
  MessageAdvice,
  MessageLasted,
  MessageState,
  MessageTitle,
  MessageWhere,
  Processed,
} from '../shared/message-marks.tsx';
import { ReasonButton } from '../shared/reason-button.tsx';
import { useMessagePage } from '../shared/use-message-page.ts';
import css from './bell-messages.module.css';

const ReasonDialog = lazyDialog(() => import('../shared/reason-dialog.tsx'));

interface Props {
  /** acknowledges the open alarms of a message */
  Acknowledge: ComponentType<{ ids: readonly number[]; onDone(): void }>;
  onClose(): void;
}

const NEWEST = { query: { page: 1, pageSize: BELL_ROWS } } as const;

/** The first messages of the user in the panel of the bell: faults that last, then the newest. */
export function BellMessages({ Acknowledge, onClose }: Props) {
  const { t } = useTranslation('messages');
  const { info } = useUser();
  const maySettings = usePermitted(['auth_message_setting']);
  const messages = useQuery({ ...queryOf('listInbox', NEWEST, { quiet: true }), ...useMessagePoll() });
  const [explained, setExplained] = useState<MessageRow | null>(null);
  const seenUntil = newestOf(messages.data?.items ?? []);
  const reading = useMutation({
    mutationFn: (until: string) => markMessages({ until }, { read: true }),
  });
  if (messages.isError && !messages.data) {
    return <ErrorState error={messages.error} onRetry={() => void messages.refetch()} />;
  }
  if (!messages.data) return <SkeletonRows rows={6} />;
  return (
    <section aria-label={t('newest')}>
      <p className={css.links}>
        <Link to="/manage/message/list" onClick={onClose}>
          {t('all')}
        </Link>
        {maySettings && (
          <Link to="/manage/message/setting" onClick={onClose}>
            {t('toSettings')}
          </Link>
        )}
        {seenUntil !== null && info.viewing === null && messages.data.items.some(({ readAt }) => !readAt) && (
          <Button size="small" loading={reading.isPending} onClick={() => reading.mutate(seenUntil)}>
            {t('markAllRead')}
          </Button>
        )}
      </p>
      {messages.data.items.length === 0 ? (
        <EmptyState text={t('empty')} />
      ) : (
        <ul className={`plain-list ${css.rows}`}>
          {messages.data.items.map((message) => (
            <Row
              key={message.id}
              message={message}
              Acknowledge={Acknowledge}
              onExplain={() => setExplained(message)}
              onClose={onClose}
            />
          ))}
        </ul>
      )}
      {explained && <ReasonDialog message={explained} onClose={() => setExplained(null)} />}
    </section>
  );
}

function Row(props: Props & { message: MessageRow; onExplain(): void }) {
  const { message, Acknowledge, onExplain, onClose } = props;
  const page = useMessagePage()(message);
  const markOpened = useMarkOpened();
  const title = <MessageTitle message={message} />;
  return (
    <li>
      {page === null ? (
        title
      ) : (
        <Link
          to={page}
          onClick={() => {
            markOpened(message);
            onClose();
          }}
        >
          {title}
        </Link>
      )}
      <MessageWhere message={message} />
      <MessageAdvice message={message} />
      <span className="field-row">
        <MessageState message={message} />
        <span className="quiet">
          <MessageLasted message={message} />
        </span>
        <Processed message={message} />
        <span className={css.end}>
          <span className="quiet no-break">
            <TimeAgo at={message.updatedAt} />
          </span>
          <Acknowledge
            ids={message.alarmIds}
            onDone={() => {
              markOpened(message);
              void refresh('listInbox');
            }}
          />
          <ReasonButton message={message} onClick={onExplain} />
        </span>
      </span>
    </li>
  );
}
