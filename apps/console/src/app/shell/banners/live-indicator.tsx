import { formatTime } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useLive } from '../../../shared/live/use-live.ts';

/** Says whether changes arrive by themselves, or since when the console has to ask. */
export function LiveIndicator() {
  const { t } = useTranslation();
  const live = useLive();
  if (live.state === 'connecting') return null;
  const text =
    live.state === 'live' ? t('live.on') : t('live.polling', { since: formatTime(live.since).slice(11, 16) });
  return (
    <p
      className="live-indicator"
      data-state={live.state}
      role="status"
      title={live.state === 'live' ? t('live.onHint') : t('live.pollingHint')}
    >
      <span aria-hidden="true" />
      <span className="live-indicator-text">{text}</span>
    </p>
  );
}
