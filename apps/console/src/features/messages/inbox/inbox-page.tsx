import type { MessageRow } from '@chargehand/contract';
import { NOTICE_TYPES } from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { filtersIn, type ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { useMessagePoll } from '../../../shared/live/use-message-poll.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { lazyDialog } from '../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import { MoreMenu } from '../../../shared/ui/dialogs/more-menu.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import type { BulkAction } from '../../../shared/ui/list/bulk-action.ts';
import type { DataColumn } from '../../../shared/ui/list-page/data-table.tsx';
import { EnabledFilter, FilterSelect } from '../../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListPage } from '../../../shared/ui/list-page/list-page.tsx';
import { SitePicker } from '../../../shared/ui/list-page/pickers.tsx';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { ExactTime, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import css from '../messages.module.css';
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
import { useMessageTitle } from '../shared/use-message-title.ts';

const ReasonDialog = lazyDialog(() => import('../shared/reason-dialog.tsx'));

const filters = { type: NOTICE_TYPES, siteId: 'number', read: 'flag', processed: 'flag', recovered: 'flag' } as const;
const SPEC: ListSpec<typeof filters, 'updatedAt'> = { filters, sorts: ['updatedAt'] };

/** The user's messages: faults that last and that nobody works on, then the newest. A row opens what the message is about, which marks it as read. */
export default function InboxPage() {
  const { t } = useTranslation('messages');
  const { t: routes } = useTranslation('routes');
  const navigate = useNavigate();
  const maySettings = usePermitted(['auth_message_setting']);
  const mayChannels = usePermitted(['auth_message_channels']);
  const maySites = usePermitted(['auth_site_list', 'auth_device_list']);
  const list = useList(SPEC, 'listInbox', (query) => ({ query }), useMessagePoll());
  const { data: counts } = useQuery(queryOf('countInbox', {}, { quiet: true }));
  const pageOf = useMessagePage();
  const markOpened = useMarkOpened();
  const titleOf = useMessageTitle();
  const [explained, setExplained] = useState<MessageRow | null>(null);
  const marking = useMutation({ mutationFn: (mark: () => Promise<void>) => mark() });
  const mark = (ids: number[], marks: { read?: boolean; processed?: boolean }) =>
    marking.mutate(() => markMessages({ ids }, marks));
  const markMany = (ids: number[], marks: { read?: boolean; processed?: boolean }) =>
    marking.mutate(async () => {
      await markMessages({ ids }, marks);
      toast.success(t('marked', { count: ids.length }));
    });
  const bulkMark = (key: 'read' | 'unread' | 'processed' | 'unprocessed'): BulkAction => {
    const marks = key === 'read' || key === 'unread' ? { read: key === 'read' } : { processed: key === 'processed' };
    const label = t(`do.${key}`);
    return {
      ...{ key, label, open: (ids) => markMany(ids, marks) },
      whole: {
        ...{ key, label, text: t(key === 'processed' ? 'markText.processed' : 'markText.own') },
        refreshes: ['listInbox', 'countInbox'],
        run: async (ids) => {
          await call('markInbox', { body: { ids, ...marks } }, { quiet: true });
          return { results: ids.map((id) => ({ id, code: 0, message: '' })) };
        },
      },
    };
  };
  // What arrives later was not seen.
  const seenUntil = list.query.page === 1 && !list.filtered ? newestOf(list.rows.data?.items ?? []) : null;

  const open = (message: MessageRow) => {
    const path = pageOf(message);
    markOpened(message);
    if (path !== null) void navigate(path);
  };
  const actions = (message: MessageRow) => (
    <span className={css.actions}>
      <ReasonButton message={message} onClick={() => setExplained(message)} />
      <MoreMenu
        size="small"
        label={t('actionsOf', { title: titleOf(message) })}
        items={[
          message.processedAt === null
            ? { key: 'processed', label: t('do.processed'), onClick: () => mark([message.id], { processed: true }) }
            : {
                key: 'unprocessed',
                label: t('do.unprocessed'),
                onClick: () => mark([message.id], { processed: false }),
              },
          message.readAt === null
            ? { key: 'read', label: t('do.read'), onClick: () => mark([message.id], { read: true }) }
            : { key: 'unread', label: t('do.unread'), onClick: () => mark([message.id], { read: false }) },
        ]}
      />
    </span>
  );
  const state = (message: MessageRow) =>
    message.processedAt === null ? (
      <Button size="small" onClick={() => mark([message.id], { processed: true })}>
        {t('do.processed')}
      </Button>
    ) : (
      <Processed message={message} />
    );

  const columns: DataColumn<MessageRow, 'updatedAt'>[] = [
    {
      title: t('message'),
      render: (_, message) => (
        <span className="stack-tight">
          <MessageTitle message={message} />
          <MessageWhere message={message} />
          <MessageAdvice message={message} />
        </span>
      ),
    },
    {
      title: t('state'),
      width: 140,
      render: (_, message) => (
        <span className="stack-tight">
          <MessageState message={message} />
          {message.processedAt === null && <Processed message={message} />}
        </span>
      ),
    },
    { title: t('since'), width: 150, render: (_, message) => <ExactTime at={message.since} /> },
    { title: t('lasted'), width: 110, render: (_, message) => <MessageLasted message={message} /> },
    { title: t('handling'), width: 150, render: (_, message) => state(message) },
  ];

  return (
    <ListPage
      title={routes('messageList')}
      note={counts && t('counts', { unread: counts.unread, untreated: counts.untreated })}
      actions={
        <>
          {seenUntil !== null && counts !== undefined && counts.unread > 0 && (
            <Button
              loading={marking.isPending}
              onClick={() => marking.mutate(() => markMessages({ until: seenUntil }, { read: true }))}
            >
              {t('markAllRead')}
            </Button>
          )}
          {mayChannels && <LinkButton to="/manage/message/channels">{routes('messageChannels')}</LinkButton>}
          {maySettings && <LinkButton to="/manage/message/setting">{t('toSettings')}</LinkButton>}
        </>
      }
      list={list}
      filters={<EnabledFilter label={t('reading')} on={t('read')} off={t('unread')} {...list.field('read')} />}
      moreFilters={
        <>
          <EnabledFilter
            label={t('handling')}
            on={t('processed')}
            off={t('unprocessed')}
            {...list.field('processed')}
          />
          <EnabledFilter
            label={t('recovery')}
            on={t('recovered')}
            off={t('notRecovered')}
            {...list.field('recovered')}
          />
          <FilterSelect
            label={t('type')}
            options={NOTICE_TYPES.map((value) => ({ value, label: t(`types.${value}`) }))}
            {...list.field('type')}
          />
          {maySites && <SitePicker placeholder={t('site')} {...list.field('siteId')} />}
        </>
      }
      columns={columns}
      rowActions={actions}
      onOpen={open}
      lookOf={(message) => `${message.updatedAt}|${message.recoveredAt}|${message.events}|${message.open}`}
      bulk={{
        nameOf: titleOf,
        actions: (['read', 'unread', 'processed', 'unprocessed'] as const).map(bulkMark),
        matching: () => call('selectInbox', { query: filtersIn(list.query) }),
      }}
      empty={t('empty')}
      compact={(message) => (
        <ListCard title={<MessageTitle message={message} />} aside={actions(message)}>
          <MessageWhere message={message} />
          <MessageAdvice message={message} />
          <CardLine end={<TimeAgo at={message.since} />}>
            <MessageState message={message} />
            <MessageLasted message={message} />
            <Processed message={message} />
          </CardLine>
        </ListCard>
      )}
    >
      {explained && <ReasonDialog message={explained} onClose={() => setExplained(null)} />}
    </ListPage>
  );
}
