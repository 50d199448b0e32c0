import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { useLive } from '../../../shared/live/use-live.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { PlainButton } from '../../../shared/ui/states/plain-button.tsx';
import './new-version.css';

/**
 * Says that the server has another version than this page. The version is read again when the live stream was lost,
 * which a new version does. Nothing is reloaded by itself, because the page may have input.
 */
export default function NewVersion() {
  const { t } = useTranslation();
  const { info } = useUser();
  const own = import.meta.env.CHARGEHAND_VERSION ?? info.settings.version;
  const live = useLive();
  const [lostAt, setLostAt] = useState<number | null>(null);
  if (live.state === 'polling' && live.since.getTime() !== lostAt) setLostAt(live.since.getTime());
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
