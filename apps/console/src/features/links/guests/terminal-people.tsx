import type { TerminalPeople as People } from '@chargehand/contract';
import { useMutation } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { useLate } from '../../../shared/ui/issues/add/use-late.ts';
import css from './guests.module.css';

const loadInviteDialog = () => loadChunk(() => import('./invite-dialog.tsx'));

interface Props {
  linkId: number;
  terminalId: number;
  people: People;
  ended: boolean;
}

/** Who sees a terminal, for its user, who can invite guests and end their access. */
export function TerminalPeople({ linkId, terminalId, people, ended }: Props) {
  const { t } = useTranslation('links');
  const [invites, setInvites] = useState(false);
  const InviteDialog = useLate(loadInviteDialog);
  const change = useMutation({
    mutationFn: ({ id, interactive }: { id: number; interactive: boolean }) =>
      call('changeGuest', { params: { id: linkId, guestId: id }, body: { interactive } }),
  });
  const remove = useMutation({
    mutationFn: (id: number) => call('removeGuest', { params: { id: linkId, guestId: id } }),
  });
  if (ended) return null;
  const { watchers, guests } = people;
  return (
    <>
      <ul className={css.people} aria-label={t('guests.people')} aria-live="polite">
        {watchers.length > 0 && <li>{t('guests.watching', { count: watchers.length, names: watchers.join(', ') })}</li>}
        {guests.map(({ id, name, interactive, connected }) => (
          <li key={id} className={css.person}>
            <span>{t(connected ? 'guests.guest' : 'guests.guestAway', { name })}</span>
            <Checkbox
              checked={interactive}
              disabled={change.isPending}
              aria-label={t('guests.mayTypeOf', { name })}
              onChange={({ target }) => change.mutate({ id, interactive: target.checked })}
            >
              {t('guests.mayType')}
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
          </li>
        ))}
        <li>
          <Button size="small" onClick={() => setInvites(true)}>
            {t('guests.invite')}
          </Button>
        </li>
      </ul>
      {invites && InviteDialog && (
        <InviteDialog
          text={t('guests.inviteText')}
          mayChange={t('guests.mayType')}
          invite={(body) => call('inviteGuest', { params: { id: linkId, terminalId }, body }, { quiet: true })}
          onClose={() => setInvites(false)}
        />
      )}
    </>
  );
}
