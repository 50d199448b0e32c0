import { useMutation } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import css from './guests.module.css';

interface Props {
  linkId: number;
  guest: { id: number; name: string; interactive: boolean };
  /** what the guest may do besides reading; `label` has the name of the guest */
  may: { text: string; label: string };
  onChanged?(): unknown;
}

/** What a guest may do, for the user of the link, who also ends their access. */
export function GuestRights({ linkId, guest: { id, name, interactive }, may, onChanged }: Props) {
  const { t } = useTranslation('links');
  const params = { id: linkId, guestId: id };
  const onSuccess = () => onChanged?.();
  const change = useMutation({
    mutationFn: (next: boolean) => call('changeGuest', { params, body: { interactive: next } }),
    onSuccess,
  });
  const remove = useMutation({ mutationFn: () => call('removeGuest', { params }), onSuccess });
  return (
    <>
      <Checkbox
        className={css.right}
        checked={interactive}
        disabled={change.isPending}
        aria-label={may.label}
        onChange={({ target }) => change.mutate(target.checked)}
      >
        {may.text}
      </Checkbox>
      <Button
        size="small"
        danger
        aria-label={t('guests.removeOf', { name })}
        loading={remove.isPending}
        onClick={() => remove.mutate()}
      >
        {t('guests.remove')}
      </Button>
    </>
  );
}
