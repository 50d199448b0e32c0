import type { ApplicationWebhook, WebhookDelivery } from '@chargehand/contract';
import { formatSpan } from '@chargehand/domain';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { SendStateTag } from '../../shared/ui/tags/send-state-tag.tsx';
import { TimeField } from '../../shared/ui/times/time-field.tsx';
import { Copyable } from '../../shared/ui/values/copyable.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import css from './applications.module.css';
import { EVENT_TEXTS } from './event-texts.ts';

/** The delivery log of a webhook, with tests and replays. */
export function DeliveriesDialog(props: {
  applicationId: number;
  webhook: ApplicationWebhook;
  mayEdit: boolean;
  onClose(): void;
}) {
  const { applicationId, webhook, onClose } = props;
  const { t } = useTranslation('applications');
  const { t: common } = useTranslation();
  const params = { id: applicationId, webhookId: webhook.id };
  const mayReplay = props.mayEdit && webhook.enabled;
  const pages = useInfiniteQuery({
    queryKey: ['listWebhookDeliveries', { params }, 'pages'],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, signal }) =>
      call(
        'listWebhookDeliveries',
        { params, query: { limit: 20, ...(pageParam === null ? {} : { before: pageParam }) } },
        { quiet: true, signal },
      ),
    getNextPageParam: ({ next }) => next,
  });
  const items = pages.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Dialog
      title={t('webhook.deliveries')}
      footer={<Button onClick={onClose}>{common('close')}</Button>}
      onCancel={onClose}
      width={760}
    >
      <div className="dialog-text">
        <p className={`mono breaks`}>{webhook.webhookUrl}</p>
        {mayReplay && <Actions params={params} />}
        {pages.isPending && <SkeletonRows rows={6} />}
        {pages.isError && <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />}
        {pages.isSuccess && items.length === 0 && <p className="quiet">{t('webhook.noDeliveries')}</p>}
        <ul className="row-list">
          {items.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} params={params} mayReplay={mayReplay} />
          ))}
        </ul>
        {pages.hasNextPage && (
          <Button loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {common('older')}
          </Button>
        )}
        <p>
          <Button onClick={() => void refresh('listWebhookDeliveries')}>{t('webhook.refresh')}</Button>
        </p>
      </div>
    </Dialog>
  );
}

interface Params {
  id: number;
  webhookId: number;
}

/** A test event, and a replay of what happened in a range of time. */
function Actions({ params }: { params: Params }) {
  const { t } = useTranslation('applications');
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState<string | null>(null);
  const test = useMutation({
    mutationFn: () => call('testApplicationWebhook', { params, body: {} }),
    onSuccess() {
      toast.success(t('webhook.tested'));
      void refresh('listWebhookDeliveries');
    },
  });
  const replay = useReplay(params);
  return (
    <>
      <p>
        <Button loading={test.isPending} onClick={() => test.mutate()}>
          {t('webhook.test')}
        </Button>
      </p>
      <div className={css.replay}>
        <span>
          {t('webhook.from')} <TimeField value={from} onChange={setFrom} label={t('webhook.from')} />
        </span>
        <span>
          {t('webhook.to')} <TimeField value={to} onChange={setTo} label={t('webhook.to')} />
        </span>
        <Button
          disabled={from === null || to === null}
          loading={replay.isPending}
          onClick={() => from !== null && to !== null && replay.mutate({ from, to })}
        >
          {t('webhook.replayRange')}
        </Button>
      </div>
    </>
  );
}

function useReplay(params: Params) {
  const { t } = useTranslation('applications');
  return useMutation({
    mutationFn: (body: { deliveryId: number } | { from: string; to: string }) =>
      call('replayWebhookDeliveries', { params, body }),
    onSuccess({ count }) {
      toast.success(t('webhook.replayed', { count }));
      void refresh('listWebhookDeliveries', 'listApplicationWebhooks');
    },
  });
}

function Delivery(props: { delivery: WebhookDelivery; params: Params; mayReplay: boolean }) {
  const { delivery, params, mayReplay } = props;
  const { t } = useTranslation('applications');
  const replay = useReplay(params);
  const { state, eventType, attempts, nextAttemptAt } = delivery;
  return (
    <li>
      <details>
        <summary>
          <ExactTime at={delivery.createdAt} />{' '}
          <span>{eventType === null ? t('webhook.testEvent') : t(`event.${EVENT_TEXTS[eventType]}`)}</span>{' '}
          <SendStateTag state={state}>{t(`webhook.states.${state}`)}</SendStateTag>
        </summary>
        <p>
          {t('webhook.id')} <Copyable text={delivery.messageId} />
        </p>
        <ol>
          {attempts.map(({ at, status, duration, answer }) => (
            <li key={at}>
              <ExactTime at={at} /> {status !== null && <span className="mono">{status}</span>} {formatSpan(duration)}{' '}
              <span>{answer}</span>
            </li>
          ))}
        </ol>
        {state === 'waiting' && nextAttemptAt !== null && (
          <p>
            {t('webhook.next')} <ExactTime at={nextAttemptAt} />
          </p>
        )}
        <pre className="pre-text">{delivery.content}</pre>
        {mayReplay && (
          <Button loading={replay.isPending} onClick={() => replay.mutate({ deliveryId: delivery.id })}>
            {t('webhook.replay')}
          </Button>
        )}
      </details>
    </li>
  );
}
