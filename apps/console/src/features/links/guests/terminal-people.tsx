import type { TerminalPeople as People } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { GuestRights } from './guest-rights.tsx';
import css from './guests.module.css';
import { InviteGuest, LateInviteDialog } from './invite-guest.tsx';

interface Props {
  linkId: number;
  terminalId: number;
  people: People;
  ended: boolean;
}

/** Who sees a terminal, for its user, who can invite guests and end their access. */
export function TerminalPeople({ linkId, terminalId, people, ended }: Props) {
  const { t } = useTranslation('links');
  if (ended) return null;
  const { watchers, guests } = people;
  return (
    <ul className={css.people} aria-label={t('guests.people')} aria-live="polite">
      {watchers.length > 0 && <li>{t('guests.watching', { count: watchers.length, names: watchers.join(', ') })}</li>}
      {guests.map(({ connected, ...guest }) => (
        <li key={guest.id} className={css.person}>
          <span>{t(connected ? 'guests.guest' : 'guests.guestAway', { name: guest.name })}</span>
          <GuestRights
            linkId={linkId}
            guest={guest}
            may={{ text: t('guests.mayType'), label: t('guests.mayTypeOf', { name: guest.name }) }}
          />
        </li>
      ))}
      <li>
        <InviteGuest size="small">
          {(onClose) => (
            <LateInviteDialog
              text={t('guests.inviteText')}
              mayChange={t('guests.mayType')}
              invite={(body) => call('inviteGuest', { params: { id: linkId, terminalId }, body }, { quiet: true })}
              onClose={onClose}
            />
          )}
        </InviteGuest>
      </li>
    </ul>
  );
}
