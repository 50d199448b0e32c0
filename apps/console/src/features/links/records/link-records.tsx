import type { LinkRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { RecordingList } from '../recordings/recording-list.tsx';
import { ActivityList } from './activity-list.tsx';

/** What happened in a link that was opened: its recordings and its activity. */
export function LinkRecords({ link }: { link: LinkRow }) {
  const { t } = useTranslation('links');
  if (link.openedAt === null) return null;
  return (
    <>
      {(link.kind === 'ssh' || link.recordings > 0) && (
        <section aria-label={t('recordings.title')}>
          <h3>{t('recordings.title')}</h3>
          <RecordingList link={link} />
        </section>
      )}
      <section aria-label={t('activity.title')}>
        <h3>{t('activity.title')}</h3>
        <ActivityList link={link} />
      </section>
    </>
  );
}
