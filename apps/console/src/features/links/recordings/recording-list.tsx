import type { LinkRecording, LinkRow } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { Tag } from '../../../shared/ui/tags/tag.tsx';
import { Duration } from '../../../shared/ui/values/duration.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { RecordingDialog } from './recording-dialog.tsx';
import css from './recordings.module.css';

/** The recordings of an open link are read again after this time. */
const REFRESH_MS = 5_000;

interface Opened {
  recording: LinkRecording;
  /** what was typed, not what the terminal showed */
  typed: boolean;
}

/** The recordings of the terminals of a link. What was typed is for root accounts, after a confirmation. */
export function RecordingList({ link }: { link: Pick<LinkRow, 'id' | 'state'> }) {
  const { t } = useTranslation('links');
  const { user } = useUser();
  const recordings = useQuery({
    ...queryOf('listRecordings', { params: { id: link.id } }, { quiet: true }),
    refetchInterval: link.state === 'open' && REFRESH_MS,
  });
  const [opened, setOpened] = useState<Opened | null>(null);
  const [asked, setAsked] = useState<LinkRecording | null>(null);
  const { data } = recordings;
  const isRunning = ({ endedAt }: LinkRecording) => endedAt === null && link.state === 'open';
  if (recordings.isError) return <ErrorState error={recordings.error} onRetry={() => void recordings.refetch()} />;
  if (!data) return <SkeletonRows rows={2} />;
  if (data.items.length === 0) return <p className="quiet">{t('recordings.none')}</p>;
  return (
    <>
      <ul className={css.list}>
        {data.items.map((recording) => (
          <li key={recording.id}>
            <ExactTime at={recording.startedAt} />
            <span>{recording.userName}</span>
            {isRunning(recording) && (
              <Tag tone="working" glyph="clock">
                {t('recordings.running')}
              </Tag>
            )}
            {recording.endedAt !== null && (
              <Duration seconds={(Date.parse(recording.endedAt) - Date.parse(recording.startedAt)) / 1_000} />
            )}
            <span className="quiet">{formatSize(recording.bytes)}</span>
            <Button size="small" onClick={() => setOpened({ recording, typed: false })}>
              {t('recordings.watch')}
            </Button>
            {user.root && (
              <Button size="small" type="link" onClick={() => setAsked(recording)}>
                {t('recordings.input')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {asked && (
        <Confirm
          title={t('recordings.inputTitle')}
          ok={t('recordings.inputOk')}
          danger
          run={async () => asked}
          onDone={(recording) => {
            setAsked(null);
            setOpened({ recording, typed: true });
          }}
          onClose={() => setAsked(null)}
        >
          <p>{t('recordings.inputText')}</p>
        </Confirm>
      )}
      {opened && (
        <RecordingDialog
          linkId={link.id}
          running={isRunning(opened.recording)}
          {...opened}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}
