import type { UserRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Tag } from '../../../shared/ui/tags/tag.tsx';

/** Whether a user may sign in, and whether they have chosen their own password. */
export function UserState({ user }: { user: Pick<UserRow, 'enabled' | 'passwordState'> }) {
  const { t } = useTranslation('people');
  if (!user.enabled) {
    return (
      <Tag tone="disabled" glyph="bar">
        {t('disabled')}
      </Tag>
    );
  }
  if (user.passwordState === 'own') {
    return (
      <Tag tone="plain" glyph="check">
        {t('enabled')}
      </Tag>
    );
  }
  const invited = user.passwordState === 'invited';
  return (
    <Tag tone="firmware-update" glyph="clock" title={invited ? t('first.invitedHint') : t('first.givenHint')}>
      {invited ? t('first.invited') : t('first.given')}
    </Tag>
  );
}
