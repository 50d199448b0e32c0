import type { ShareRow } from '@chargehand/contract';
import { DEFAULT_GUEST_MINUTES } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Button, Checkbox, Input, Select } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { ShareLink } from '../../../shared/ui/shares/share-link.tsx';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';

const MINUTES = [15, 30, 60, 120] as const;

interface Props {
  /** what the guest can do, and when they leave */
  text: string;
  /** the text of the choice whether the guest may do more than watch */
  mayChange: string;
  /** further choices */
  children?: ReactNode;
  invite(values: { interactive: boolean; minutes: number; recipient: string }): Promise<ShareRow>;
  onClose(): void;
}

/** Creates an invitation for a guest, and shows its link and code. */
export default function InviteDialog({ text, mayChange, children, invite: send, onClose }: Props) {
  const { t } = useTranslation('links');
  const { t: common } = useTranslation();
  const id = useId();
  const [interactive, setInteractive] = useState(false);
  const [minutes, setMinutes] = useState<number>(DEFAULT_GUEST_MINUTES);
  const [recipient, setRecipient] = useState('');
  const invite = useMutation<ShareRow>({ mutationFn: () => send({ interactive, minutes, recipient }) });
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
          <p>{text}</p>
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
            {mayChange}
          </Checkbox>
          {children}
          <ErrorNote text={invite.error instanceof ApiProblem ? invite.error.message : undefined} />
        </div>
      )}
    </Dialog>
  );
}
