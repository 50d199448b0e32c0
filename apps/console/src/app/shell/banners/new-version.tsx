import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { useLive } from '../../../shared/live/use-live.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { PlainButton } from '../../../shared/ui/states/plain-button.tsx';
import './new-version.css';

/**
 * Says that the server has another version than this page. Nothing is reloaded by itself, because the page may have
 * input.
 * @param lostAt when the live stream was last lost: then the version is read again. Null: it was not lost
 */
export default function NewVersion({ lostAt }: { lostAt: number | null }) {
  const { t } = useTranslation();
  const { info } = useUser();
  const own = import.meta.env.CHARGEHAND_VERSION ?? info.settings.version;
  const live = useLive();
  const { data = info.settings.version } = useQuery({
    queryKey: ['serverVersion', lostAt],
    queryFn: async () => (await call('info', { body: {} })).settings.version,
    enabled: lostAt !== null && live.state === 'live',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (data === own) return null;
  return (
    <p className="new-version" role="status">
      <span>{t('shell.newVersion', { version: data })}</span>
      <PlainButton onClick={() => location.reload()}>{t('error.reload')}</PlainButton>
    </p>
  );
}
