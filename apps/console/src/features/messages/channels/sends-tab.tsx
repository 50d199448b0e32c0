import type { SendRow } from '@chargehand/contract';
import { POLL_MS } from '@chargehand/contract/constants';
import { MESSAGE_CHANNELS, MESSAGE_TYPES, SEND_STATES } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useLongList } from '../../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import type { DataColumn } from '../../../shared/ui/list-page/data-table.tsx';
import { FilterSelect } from '../../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../../shared/ui/list-page/list-page.tsx';
import { ExactTime, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import css from './channels.module.css';
import { SendDialog } from './send-dialog.tsx';
import { MessageSendState } from './send-state.tsx';

const filters = { search: 'text', channel: MESSAGE_CHANNELS, sendState: SEND_STATES, type: MESSAGE_TYPES } as const;
const SPEC: ListSpec<typeof filters, never> = { filters, sorts: [] };

/** What was sent to users and webhooks, the newest first, with the answers of the receiving servers. */
export function SendsTab() {
  const { t } = useTranslation('channels');
  const { t: messages } = useTranslation('messages');
  const list = useLongList(SPEC, 'listSends', 'before', (query) => query, { refetchInterval: POLL_MS });
  const { user } = useUser();
  const mayChange = user.root || !user.readOnly;
  const [open, setOpen] = useState<number | null>(null);
  const shown = list.rows.data?.items.find(({ id }) => id === open);
  const again = useMutation({
    mutationFn: ({ id }: SendRow) => call('sendAgain', { params: { id } }),
    onSuccess(_, { receiver }) {
      toast.success(t('again.done', { receiver }));
      void refresh('listSends');
    },
  });
  const what = ({ type, subject }: SendRow) => (
    <span className={css.what}>
      {type === null ? t('testMessage') : messages(`types.${type}`)}
      {subject !== null && <span className="quiet">{subject}</span>}
    </span>
  );
  const answer = (send: SendRow) => {
    const last = send.attempts.at(-1);
    return (
      <span className={css.result}>
        <MessageSendState state={send.state} />
        <span className="quiet">
          {t('attempts', { count: send.attemptCount })}
          {last?.answer && send.state !== 'sent' && ` · ${last.answer}`}
        </span>
      </span>
    );
  };
  const button = (send: SendRow) =>
    mayChange &&
    (send.state === 'failed' || send.state === 'sent') && (
      <Button
        size="small"
        aria-label={t('again.of', { receiver: send.receiver })}
        loading={again.isPending && again.variables.id === send.id}
        onClick={() => again.mutate(send)}
      >
        {t('again.do')}
      </Button>
    );
  const columns: DataColumn<SendRow, never>[] = [
    { title: t('time'), width: 160, render: (_, { createdAt }) => <ExactTime at={createdAt} /> },
    { title: t('channel'), width: 100, render: (_, { channel }) => t(`channels.${channel}`) },
    { title: t('receiver'), render: (_, { receiver }) => <span className="breaks">{receiver}</span> },
    { title: t('message'), render: (_, send) => what(send) },
    { title: t('result'), render: (_, send) => answer(send) },
  ];
  return (
    <>
      <ListSection
        label={t('sendLog')}
        list={list}
        search={t('searchSends')}
        filters={
          <FilterSelect
            label={t('state')}
            options={SEND_STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
            {...list.field('sendState')}
          />
        }
        moreFilters={
          <>
            <FilterSelect
              label={t('channel')}
              options={MESSAGE_CHANNELS.map((value) => ({ value, label: t(`channels.${value}`) }))}
              {...list.field('channel')}
            />
            <FilterSelect
              label={t('type')}
              options={MESSAGE_TYPES.map((value) => ({ value, label: messages(`types.${value}`) }))}
              {...list.field('type')}
            />
          </>
        }
        columns={columns}
        rowActions={button}
        onOpen={({ id }) => setOpen(id)}
        lookOf={({ state, attemptCount }) => `${state} ${attemptCount}`}
        empty={t('emptySends')}
        compact={(send) => (
          <ListCard title={send.receiver} aside={button(send)}>
            <CardLine end={<TimeAgo at={send.createdAt} />}>
              {t(`channels.${send.channel}`)} · {send.type === null ? t('testMessage') : messages(`types.${send.type}`)}
            </CardLine>
            <CardLine>{answer(send)}</CardLine>
          </ListCard>
        )}
      />
      {shown && <SendDialog send={shown} onClose={() => setOpen(null)} />}
    </>
  );
}
