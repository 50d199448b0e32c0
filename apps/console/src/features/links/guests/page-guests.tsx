import type { LinkRow } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Checkbox } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { GuestRights } from './guest-rights.tsx';
import css from './guests.module.css';
import { InviteGuest, LateInviteDialog } from './invite-guest.tsx';

/** The guests of the web pages of an open link. Its user invites them and ends their access. */
export default function PageGuests({ link: { id: linkId, own } }: { link: LinkRow }) {
  const { t } = useTranslation('links');
  const guests = useQuery(queryOf('listPageGuests', { params: { id: linkId } }, { quiet: true }));
  // Users without the permission for such links see the link, but not its guests.
  if (guests.isLoadingError && !own) return null;
  if (guests.isLoadingError) return <ErrorState error={guests.error} onRetry={() => void guests.refetch()} />;
  const items = guests.data?.items ?? [];
  return (
    <section aria-label={t('guests.pageGuests')}>
      <h3>{t('guests.pageGuests')}</h3>
      {items.length === 0 && <p className="quiet">{t('guests.noPageGuests')}</p>}
      <ul className={css.people} aria-live="polite">
        {items.map(({ hostSession, ...guest }) => (
          <li key={guest.id} className={css.person}>
            <span>
              {t('guests.guest', { name: guest.name })}
              {hostSession && own && ` · ${t('guests.sharesSession')}`}
            </span>
            {own && (
              <GuestRights
                linkId={linkId}
                guest={guest}
                may={{ text: t('guests.mayChange'), label: t('guests.mayChangeOf', { name: guest.name }) }}
                onChanged={() => refresh('listPageGuests')}
              />
            )}
          </li>
        ))}
        {own && (
          <li>
            <InviteGuest>{(onClose) => <InvitePageGuest linkId={linkId} onClose={onClose} />}</InviteGuest>
          </li>
        )}
      </ul>
    </section>
  );
}

function InvitePageGuest({ linkId, onClose }: { linkId: number; onClose(): void }) {
  const { t } = useTranslation('links');
  const id = useId();
  const [hostSession, setHostSession] = useState(false);
  return (
    <LateInviteDialog
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
    </LateInviteDialog>
  );
}
