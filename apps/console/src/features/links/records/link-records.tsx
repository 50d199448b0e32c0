import type { LinkRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { RecordingList } from '../recordings/recording-list.tsx';
import { ActivityList } from './activity-list.tsx';

/** What happened in a link that was opened: its recordings and its activity. */
export function LinkRecords({ link }: { link: LinkRow }) {
  const { t } = useTranslation('links');
  if (link.openedAt === null) return null;
  const live = link.kind === 'web' && link.state === 'open';
  const title = live ? t('web.live') : t('activity.title');
  return (
    <>
      {(link.kind === 'ssh' || link.recordings > 0) && (
        <section aria-label={t('recordings.title')}>
          <h3>{t('recordings.title')}</h3>
          <RecordingList link={link} />
        </section>
      )}
      <section aria-label={title}>
        <h3>{title}</h3>
        {live && <p className="quiet">{t('web.liveText')}</p>}
        <ActivityList link={link} />
      </section>
    </>
  );
}
