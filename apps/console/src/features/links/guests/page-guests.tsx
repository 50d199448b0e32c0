import type { LinkRow } from '@chargehand/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { useLate } from '../../../shared/ui/issues/add/use-late.ts';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import css from './guests.module.css';

const loadInviteDialog = () => loadChunk(() => import('./invite-dialog.tsx'));

/** The guests of the web pages of an open link. Its user invites them and ends their access. */
export default function PageGuests({ link: { id: linkId, own } }: { link: LinkRow }) {
  const { t } = useTranslation('links');
  const [invites, setInvites] = useState(false);
  const guests = useQuery(queryOf('listPageGuests', { params: { id: linkId } }, { quiet: true }));
  const onSuccess = () => refresh('listPageGuests');
  const change = useMutation({
    mutationFn: ({ id, interactive }: { id: number; interactive: boolean }) =>
      call('changeGuest', { params: { id: linkId, guestId: id }, body: { interactive } }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (id: number) => call('removeGuest', { params: { id: linkId, guestId: id } }),
    onSuccess,
  });
  // Users without the permission for such links see the link, but not its guests.
  if (guests.isLoadingError && !own) return null;
  if (guests.isLoadingError) return <ErrorState error={guests.error} onRetry={() => void guests.refetch()} />;
  const items = guests.data?.items ?? [];
  return (
    <section aria-label={t('guests.pageGuests')}>
      <h3>{t('guests.pageGuests')}</h3>
      {items.length === 0 && <p className="quiet">{t('guests.noPageGuests')}</p>}
      <ul className={css.people} aria-live="polite">
        {items.map(({ id, name, interactive, hostSession }) => (
          <li key={id} className={css.person}>
            <span>
              {t('guests.guest', { name })}
              {hostSession && own && ` · ${t('guests.sharesSession')}`}
            </span>
            {own && (
              <>
                <Checkbox
                  checked={interactive}
                  disabled={change.isPending}
                  aria-label={t('guests.mayChangeOf', { name })}
                  onChange={({ target }) => change.mutate({ id, interactive: target.checked })}
                >
                  {t('guests.mayChange')}
                </Checkbox>
                <Button
                  size="small"
                  danger
                  aria-label={t('guests.removeOf', { name })}
                  loading={remove.isPending}
                  onClick={() => remove.mutate(id)}
                >
                  {t('guests.remove')}
                </Button>
              </>
            )}
          </li>
        ))}
        {own && (
          <li>
            <Button onClick={() => setInvites(true)}>{t('guests.invite')}</Button>
          </li>
        )}
      </ul>
      {invites && <InvitePageGuest linkId={linkId} onClose={() => setInvites(false)} />}
    </section>
  );
}

function InvitePageGuest({ linkId, onClose }: { linkId: number; onClose(): void }) {
  const { t } = useTranslation('links');
  const id = useId();
  const [hostSession, setHostSession] = useState(false);
  const InviteDialog = useLate(loadInviteDialog);
  if (!InviteDialog) return null;
  return (
    <InviteDialog
      text={t('guests.invitePageText')}
      mayChange={t('guests.mayChange')}
      invite={(values) =>
        call('invitePageGuest', { params: { id: linkId }, body: { ...values, hostSession } }, { quiet: true })
      }
      onClose={onClose}
    >
      <div>
        <Checkbox checked={hostSession} aria-describedby={id} onChange={({ target }) => setHostSession(target.checked)}>
          {t('guests.hostSession')}
        </Checkbox>
        <p className="quiet" id={id}>
          {t('guests.hostSessionHint')}
        </p>
      </div>
    </InviteDialog>
  );
}
