import type { ApplicationWebhook } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { MoreMenu } from '../../shared/ui/dialogs/more-menu.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { Panel } from '../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { Tag } from '../../shared/ui/tags/tag.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import css from './applications.module.css';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { EVENT_TEXTS } from './event-texts.ts';
import { NewSecretDialog } from './new-secret-dialog.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

type Opened = { what: 'add' } | { what: 'edit' | 'deliveries' | 'rotate' | 'delete'; webhook: ApplicationWebhook };

/** The webhooks of an application: where events are sent, and whether they arrive. */
export function WebhooksPanel({ id, mayEdit }: { id: number; mayEdit: boolean }) {
  const { t } = useTranslation('applications');
  const webhooks = useQuery(queryOf('listApplicationWebhooks', { params: { id } }, { quiet: true }));
  const [opened, setOpened] = useState<Opened | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => setOpened(null);
  const items = webhooks.data?.items ?? [];
  const changed = (done: string) => {
    toast.success(done);
    close();
    void refresh('listApplicationWebhooks', 'listWebhookDeliveries');
  };
  return (
    <Panel
      title={t('webhook.title')}
      extra={mayEdit && <Button onClick={() => setOpened({ what: 'add' })}>{t('webhook.add')}</Button>}
    >
      {webhooks.isPending && <SkeletonRows rows={2} />}
      {webhooks.isError && <ErrorState error={webhooks.error} onRetry={() => void webhooks.refetch()} />}
      {webhooks.isSuccess && items.length === 0 && <p className="quiet">{t('webhook.empty')}</p>}
      {items.length > 0 && (
        <ul className="row-list">
          {items.map((webhook) => (
            <li key={webhook.id} className={css.webhook}>
              <Shown webhook={webhook} />
              <span>
                <Button type="link" onClick={() => setOpened({ what: 'deliveries', webhook })}>
                  {t('webhook.deliveries')}
                </Button>
                {mayEdit && (
                  <MoreMenu
                    label={t('actionsOf', { name: webhook.webhookUrl })}
                    items={[
                      { key: 'edit', label: t('edit'), onClick: () => setOpened({ what: 'edit', webhook }) },
                      {
                        key: 'rotate',
                        label: t('webhook.rotate.ok'),
                        onClick: () => setOpened({ what: 'rotate', webhook }),
                      },
                      {
                        key: 'delete',
                        label: t('webhook.delete.ok'),
                        danger: true,
                        onClick: () => setOpened({ what: 'delete', webhook }),
                      },
                    ]}
                  />
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {(opened?.what === 'add' || opened?.what === 'edit') && (
        <WebhookDialog
          applicationId={id}
          webhook={opened.what === 'edit' ? opened.webhook : null}
          onSecret={setSecret}
          onClose={close}
        />
      )}
      {opened?.what === 'deliveries' && (
        <DeliveriesDialog applicationId={id} webhook={opened.webhook} mayEdit={mayEdit} onClose={close} />
      )}
      {opened?.what === 'rotate' && (
        <Confirm
          title={t('webhook.rotate.title')}
          ok={t('webhook.rotate.ok')}
          run={() =>
            call(
              'rotateApplicationWebhookSecret',
              { params: { id, webhookId: opened.webhook.id }, body: {} },
              { quiet: true },
            )
          }
          onDone={(created) => {
            close();
            setSecret(created.secret);
            void refresh('listApplicationWebhooks');
          }}
          onClose={close}
        >
          <p>{t('webhook.rotate.text')}</p>
        </Confirm>
      )}
      {opened?.what === 'delete' && (
        <Confirm
          title={t('webhook.delete.title')}
          ok={t('webhook.delete.ok')}
          danger
          run={() =>
            call('deleteApplicationWebhook', { params: { id, webhookId: opened.webhook.id } }, { quiet: true })
          }
          onDone={() => changed(t('webhook.delete.done'))}
          onClose={close}
        >
          <p>{opened.webhook.webhookUrl}</p>
          <p>{t('webhook.delete.text')}</p>
        </Confirm>
      )}
      {secret !== null && <NewSecretDialog secret={{ signingSecret: secret }} onClose={() => setSecret(null)} />}
    </Panel>
  );
}

function Shown({ webhook }: { webhook: ApplicationWebhook }) {
  const { t } = useTranslation('applications');
  const { webhookUrl, description, events, unreachable, enabled, failingSince, givenUpAt, waiting } = webhook;
  const namesOf = (types: typeof events) => types.map((type) => t(`event.${EVENT_TEXTS[type]}`)).join(t('comma'));
  return (
    <div>
      <span className="mono">{webhookUrl}</span>{' '}
      <Tag tone={enabled ? 'plain' : 'disabled'} glyph={enabled ? 'check' : 'bar'}>
        {t(enabled ? 'state.enabled' : 'state.disabled')}
      </Tag>
      {description && <p>{description}</p>}
      <p className="quiet">{namesOf(events)}</p>
      {unreachable.length > 0 && (
        <p className="warning-note">{t('webhook.unreachable', { events: namesOf(unreachable) })}</p>
      )}
      {givenUpAt !== null && (
        <p className="warning-note">
          <span>{t('webhook.givenUp')}</span> <ExactTime at={givenUpAt} />
        </p>
      )}
      {enabled && failingSince !== null && (
        <p className="warning-note">
          <span>{t('webhook.failing', { count: waiting })}</span> <ExactTime at={failingSince} />
        </p>
      )}
    </div>
  );
}
