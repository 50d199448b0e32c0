import type { WebhookRow } from '@chargehand/contract';
import { POLL_MS } from '@chargehand/contract/constants';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { MoreMenu } from '../../../shared/ui/dialogs/more-menu.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import type { DataColumn } from '../../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../../shared/ui/list-page/list-page.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import css from './channels.module.css';
import { SecretDialog } from './secret-dialog.tsx';
import { MessageSendState } from './send-state.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

const SORTS = ['name', 'createdAt'] as const;
const filters = { search: 'text' } as const;
const SPEC: ListSpec<typeof filters, (typeof SORTS)[number]> = { filters, sorts: SORTS };
/** How often the result of a test is fetched until it is known. Milliseconds. */
const TEST_POLL_MS = 2_000;

type Open = { kind: 'edit'; webhook: WebhookRow | null } | { kind: 'delete' | 'rotate'; webhook: WebhookRow };

/** The webhooks of the customers that the user sees completely. */
export function WebhooksTab() {
  const { t } = useTranslation('channels');
  const { user } = useUser();
  const mayChange = user.root || !user.readOnly;
  const [open, setOpen] = useState<Open | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  /** a test without a result: the webhook, and the time of its attempt before */
  const [testing, setTesting] = useState<{ id: number; lastAt: string | null } | null>(null);
  const list = useList(SPEC, 'listWebhooks', (query) => ({ query }), {
    refetchInterval: testing === null ? POLL_MS : TEST_POLL_MS,
  });
  const tested = list.rows.data?.items.find(({ id }) => id === testing?.id);
  if (testing !== null && tested !== undefined && tested.lastAt !== testing.lastAt) setTesting(null);

  const test = useMutation({
    mutationFn: ({ id }: WebhookRow) => call('testWebhook', { params: { id } }),
    onSuccess(_, { id, name, lastAt }) {
      setTesting({ id, lastAt });
      toast.success(t('test.sent', { name }));
    },
  });
  const enabling = useMutation({
    mutationFn: (webhook: WebhookRow) =>
      call('updateWebhook', { params: { id: webhook.id }, body: { ...fieldsOf(webhook), enabled: !webhook.enabled } }),
    onSuccess(_, { name, enabled }) {
      toast.success(t(enabled ? 'disabled' : 'enabledNow', { name }));
      void refresh('listWebhooks');
    },
  });

  const actions = (webhook: WebhookRow) =>
    mayChange && (
      <MoreMenu
        size="small"
        label={t('actionsOf', { name: webhook.name })}
        items={[
          { key: 'edit', label: t('edit'), onClick: () => setOpen({ kind: 'edit', webhook }) },
          { key: 'test', label: t('test.do'), disabled: !webhook.enabled, onClick: () => test.mutate(webhook) },
          ...(webhook.format === 'standard'
            ? [{ key: 'rotate', label: t('rotate.do'), onClick: () => setOpen({ kind: 'rotate', webhook }) }]
            : []),
          { key: 'enable', label: t(webhook.enabled ? 'disable' : 'enable'), onClick: () => enabling.mutate(webhook) },
          { key: 'delete', danger: true, label: t('delete.do'), onClick: () => setOpen({ kind: 'delete', webhook }) },
        ]}
      />
    );
  const last = (webhook: WebhookRow) => {
    if (testing?.id === webhook.id) return <MessageSendState state="waiting" />;
    if (webhook.lastState === null) return <span className="quiet">{t('neverSent')}</span>;
    return (
      <span className={css.result}>
        <MessageSendState state={webhook.lastState} /> {webhook.lastAt && <TimeAgo at={webhook.lastAt} />}
        {webhook.lastState !== 'sent' && webhook.lastAnswer && <span className="quiet">{webhook.lastAnswer}</span>}
      </span>
    );
  };
  const name = (webhook: WebhookRow) => (
    <span>
      {webhook.name} {!webhook.enabled && <span className="quiet">({t('off')})</span>}
    </span>
  );
  const columns: DataColumn<WebhookRow, (typeof SORTS)[number]>[] = [
    { title: t('name'), sortBy: 'name', render: (_, webhook) => name(webhook) },
    { title: t('customer'), dataIndex: 'customerName' },
    { title: t('format'), render: (_, { format }) => t(`formats.${format}`) },
    { title: t('url'), render: (_, { webhookUrl }) => <span className={`mono breaks`}>{hostOf(webhookUrl)}</span> },
    { title: t('types'), render: (_, webhook) => <Subscribed webhook={webhook} /> },
    { title: t('last'), render: (_, webhook) => last(webhook) },
  ];
  const add = mayChange && (
    <Button type="primary" onClick={() => setOpen({ kind: 'edit', webhook: null })}>
      {t('add')}
    </Button>
  );
  return (
    <>
      {add && <div className={css.actions}>{add}</div>}
      <ListSection
        label={t('webhooks')}
        list={list}
        search={t('search')}
        columns={columns}
        rowActions={actions}
        onOpen={mayChange ? (webhook) => setOpen({ kind: 'edit', webhook }) : undefined}
        empty={t('empty')}
        emptyAction={add}
        compact={(webhook) => (
          <ListCard title={name(webhook)} aside={actions(webhook)}>
            <CardLine>
              {webhook.customerName} · {t(`formats.${webhook.format}`)} · <Subscribed webhook={webhook} />
            </CardLine>
            <CardLine>{last(webhook)}</CardLine>
          </ListCard>
        )}
      />
      {open?.kind === 'edit' && (
        <WebhookDialog webhook={open.webhook} onSecret={setSecret} onClose={() => setOpen(null)} />
      )}
      {open?.kind === 'delete' && (
        <Confirm
          title={t('delete.title', { name: open.webhook.name })}
          ok={t('delete.do')}
          danger
          run={() => call('deleteWebhook', { params: { id: open.webhook.id } }, { quiet: true })}
          onDone={() => {
            toast.success(t('delete.done', { name: open.webhook.name }));
            setOpen(null);
            void refresh('listWebhooks', 'listSends');
          }}
          onClose={() => setOpen(null)}
        >
          <p>{t('delete.text')}</p>
        </Confirm>
      )}
      {open?.kind === 'rotate' && (
        <Confirm
          title={t('rotate.title', { name: open.webhook.name })}
          ok={t('rotate.do')}
          run={async () =>
            setSecret((await call('rotateWebhookSecret', { params: { id: open.webhook.id } }, { quiet: true })).secret)
          }
          onDone={() => {
            setOpen(null);
            void refresh('listWebhooks');
          }}
          onClose={() => setOpen(null)}
        >
          <p>{t('rotate.text')}</p>
        </Confirm>
      )}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}

/** What a webhook gets: the number of its types and sites, or all of them. */
function Subscribed({ webhook: { types, siteIds } }: { webhook: WebhookRow }) {
  const { t } = useTranslation('channels');
  return (
    <span>
      {types.length === 0 ? t('allTypes') : t('typeCount', { count: types.length })}
      {' · '}
      {siteIds.length === 0 ? t('allSites') : t('siteCount', { count: siteIds.length })}
    </span>
  );
}

/** The fields of a webhook that its dialog changes. */
function fieldsOf({ name, webhookUrl, format, types, siteIds, locale, enabled }: WebhookRow) {
  return { name, webhookUrl, format, types, siteIds, locale, enabled };
}

/** The path of a chat program's address is a secret; the host says enough. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
