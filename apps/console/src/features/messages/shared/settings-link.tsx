import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePermitted } from '../../../shared/session/permitted.tsx';

/** Leads from an explanation to the message settings. */
export function SettingsLink({ onClick }: { onClick(): void }) {
  const { t } = useTranslation('messages');
  if (!usePermitted(['auth_message_setting'])) return null;
  return (
    <p>
      <Link to="/manage/message/setting" onClick={onClick}>
        {t('why.change')}
      </Link>
    </p>
  );
}
