import type { ShareRow } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Drawer } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { ApiProblem } from '../../shared/api/problem.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { ShareLink } from '../../shared/ui/shares/share-link.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { ShareState } from '../../shared/ui/tags/share-state.tsx';
import { Describe } from '../../shared/ui/values/describe.tsx';
import { Dash, ExactTime } from '../../shared/ui/values/time-ago.tsx';
import { LimitsDialog } from './limits-dialog.tsx';
import { ShareUses } from './share-uses.tsx';

/** A share with its link, its limits and its log, and what can be done with it. */
export function ShareDrawer({ id, onClose }: { id: number; onClose(): void }) {
  const { t } = useTranslation('shares');
  const share = useQuery(queryOf('readShare', { params: { id } }, { quiet: true }));
  const { data } = share;
  return (
    <Drawer open onClose={onClose} size={620} title={data?.object.name ?? t('title')}>
      {data ? (
        <div className="stack">
          <Actions share={data} onDestroyed={onClose} />
          {data.state !== 'destroyed' && <ShareLink share={data} />}
          <Facts share={data} />
          {data.kind !== 'issue' && !invites(data) && <ShareUses id={id} />}
        </div>
      ) : share.isError ? (
        <ErrorState error={share.error} onRetry={() => void share.refetch()} />
      ) : (
        <SkeletonRows />
      )}
    </Drawer>
  );
}

const DESTROY_TEXTS = {
  download: 'destroyText',
  upload: 'destroyText',
  issue: 'destroyIssueText',
  terminal: 'destroyTerminalText',
  page: 'destroyPageText',
} as const;

/** True for invitations of guests, which cannot be changed. */
function invites({ kind }: ShareRow): boolean {
  return kind === 'terminal' || kind === 'page';
}

function Facts({ share }: { share: ShareRow }) {
  const { t } = useTranslation('shares');
  const { kind, createdBy, createdAt, expiresAt, recipient, note, uses, useLimit, bytes, byteLimit, wrongCodes } =
    share;
  const received = formatSize(bytes);
  const sizeText = byteLimit === null ? received : t('usesOf', { uses: received, limit: formatSize(byteLimit) });
  return (
    <Describe
      items={[
        { key: 'kind', label: t('kind'), value: t(`kinds.${kind}`) },
        ...(kind === 'issue'
          ? [{ key: 'access', label: t('access.label'), value: t(share.comments ? 'access.comment' : 'access.read') }]
          : []),
        ...(kind === 'page'
          ? [{ key: 'access', label: t('access.label'), value: t(share.interactive ? 'access.change' : 'access.read') }]
          : []),
        ...(kind === 'terminal'
          ? [{ key: 'access', label: t('access.label'), value: t(share.interactive ? 'access.type' : 'access.watch') }]
          : []),
        { key: 'state', label: t('state'), value: <ShareState share={share} /> },
        { key: 'createdBy', label: t('createdBy'), value: createdBy },
        { key: 'createdAt', label: t('createdAt'), value: <ExactTime at={createdAt} /> },
        { key: 'until', label: t('until'), value: expiresAt ? <ExactTime at={expiresAt} /> : t('permanent') },
        { key: 'recipient', label: t('recipient'), value: recipient || <Dash /> },
        {
          key: 'uses',
          label: t('uses'),
          value: useLimit === null ? uses : t('usesOf', { uses, limit: useLimit }),
        },
        ...(kind === 'upload' ? [{ key: 'size', label: t('receivedSize'), value: sizeText }] : []),
        ...(share.hasCode ? [{ key: 'wrong', label: t('wrongCodes'), value: wrongCodes }] : []),
        ...(note === '' ? [] : [{ key: 'note', label: t('note'), value: <span className="pre-text">{note}</span> }]),
      ]}
    />
  );
}

function Actions({ share, onDestroyed }: { share: ShareRow; onDestroyed(): void }) {
  const { t } = useTranslation('shares');
  const [dialog, setDialog] = useState<'destroy' | 'limits' | null>(null);
  const { user } = useUser();
  const { id, kind, object, state } = share;
  const unlock = useMutation({
    mutationFn: () => call('unlockShare', { params: { id } }, { quiet: true }),
    onSuccess: async () => {
      toast.success(t('unlocked'));
      await refresh('listShares', 'readShare');
    },
  });
  const close = () => setDialog(null);
  if (state === 'destroyed' || (user.readOnly && !user.root)) return null;
  return (
    <>
      {state === 'locked' && <p className="warning-note">{t('lockedNote')}</p>}
      {unlock.error instanceof ApiProblem && (
        <p className="error-note" role="alert">
          {unlock.error.message}
        </p>
      )}
      <div className="field-row">
        {state === 'locked' && (
          <Button type="primary" loading={unlock.isPending} onClick={() => unlock.mutate()}>
            {t('unlock')}
          </Button>
        )}
        {!invites(share) && <Button onClick={() => setDialog('limits')}>{t('change')}</Button>}
        <Button danger onClick={() => setDialog('destroy')}>
          {t('destroy')}
        </Button>
      </div>
      {dialog === 'limits' && <LimitsDialog share={share} onClose={close} />}
      {dialog === 'destroy' && (
        <Confirm
          title={t('destroyTitle', { name: object.name })}
          ok={t('destroy')}
          danger
          run={() => call('destroyShare', { params: { id } }, { quiet: true })}
          onDone={() => {
            toast.success(t('destroyed'));
            void refresh('listShares', 'readShare');
            onDestroyed();
          }}
          onClose={close}
        >
          <p>{t(DESTROY_TEXTS[kind])}</p>
        </Confirm>
      )}
    </>
  );
}
