import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { session } from '../../shared/session/session.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { PictureField } from '../../shared/ui/pictures/picture-field.tsx';

/** The user's own picture: saved when it is selected, and shown in the header immediately. */
export function AvatarField() {
  const { t } = useTranslation('account');
  const { user } = useUser();
  const save = useMutation({
    mutationFn: (avatar: string | null) => call('setOwnAvatar', { body: { avatar } }),
    onSuccess: ({ avatar }) => {
      const now = session.get();
      if (now.status === 'signedIn') {
        const changed = { ...now.user, avatar };
        session.set({ ...now, user: changed, info: { ...now.info, user: changed } });
      }
      toast.success(t('base.saved'));
      void refresh('listUsers', 'readUser');
    },
  });
  return (
    <PictureField
      label={t('base.avatar')}
      value={user.avatar}
      onChange={(key) => save.mutate(key)}
      disabled={user.readOnly || save.isPending}
    />
  );
}
