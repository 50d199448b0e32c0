import type { TerminalPeople as People, ShareRow } from '@chargehand/contract';
import { DEFAULT_GUEST_MINUTES } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Button, Checkbox, Input, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { ShareLink } from '../../../shared/ui/shares/share-link.tsx';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';
import css from './guests.module.css';

const MINUTES = [15, 30, 60, 120] as const;

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
      {invites && <InviteDialog linkId={linkId} terminalId={terminalId} onClose={() => setInvites(false)} />}
    </>
  );
}

function InviteDialog({ linkId, terminalId, onClose }: { linkId: number; terminalId: number; onClose(): void }) {
  const { t } = useTranslation('links');
  const { t: common } = useTranslation();
  const id = useId();
  const [interactive, setInteractive] = useState(false);
  const [minutes, setMinutes] = useState<number>(DEFAULT_GUEST_MINUTES);
  const [recipient, setRecipient] = useState('');
  const invite = useMutation<ShareRow>({
    mutationFn: () =>
      call(
        'inviteGuest',
        { params: { id: linkId, terminalId }, body: { interactive, minutes, recipient } },
        { quiet: true },
      ),
  });
  const { data: share } = invite;
  return (
    <Dialog
      title={t('guests.invite')}
      width={480}
      pending={invite.isPending}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{common('close')}</Button>
          {!share && (
            <Button type="primary" loading={invite.isPending} onClick={() => invite.mutate()}>
              {t('guests.create')}
            </Button>
          )}
        </>
      }
    >
      {share ? (
        <ShareLink share={share} />
      ) : (
        <div className="stack">
          <p>{t('guests.inviteText')}</p>
          <div>
            <label htmlFor={`${id}-recipient`}>{t('guests.recipient')}</label>
            <Input
              id={`${id}-recipient`}
              maxLength={200}
              value={recipient}
              onChange={({ target }) => setRecipient(target.value)}
            />
          </div>
          <div>
            <label htmlFor={`${id}-minutes`}>{t('guests.minutes')}</label>
            <Select
              id={`${id}-minutes`}
              style={{ width: '100%' }}
              value={minutes}
              onChange={setMinutes}
              options={MINUTES.map((value) => ({ value, label: t('guests.minutesOf', { count: value }) }))}
            />
          </div>
          <Checkbox checked={interactive} onChange={({ target }) => setInteractive(target.checked)}>
            {t('guests.mayType')}
          </Checkbox>
          <ErrorNote text={invite.error instanceof ApiProblem ? invite.error.message : undefined} />
        </div>
      )}
    </Dialog>
  );
}
