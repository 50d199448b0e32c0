import type { LinkRecording } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { readFile } from '../../../shared/api/client.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { saveFile } from '../../../shared/lib/files/save-file.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { type Cast, clockOf, parseCast } from './cast.ts';
import { RecordingSeal } from './recording-seal.tsx';
import css from './recordings.module.css';
import { typedLines } from './typed.ts';

interface Props {
  linkId: number;
  recording: LinkRecording;
  /** its terminal is open */
  running: boolean;
  /** what was typed, not what the terminal showed */
  typed: boolean;
  onClose(): void;
}

const loadPlayer = async () => (await loadChunk(() => import('./player.tsx'))).default;

/** A recording. It is fetched once while the dialog is open, because each time is in the action log. */
export function RecordingDialog({ linkId, recording, running, typed, onClose }: Props) {
  const content = typed ? 'input' : 'output';
  const { t } = useTranslation('links');
  const { t: common } = useTranslation();
  const loaded = useQuery({
    queryKey: ['recording', linkId, recording.id, content],
    queryFn: async ({ signal }) => {
      const input = { params: { id: linkId, recordingId: recording.id } };
      const reads = content === 'output' ? 'readRecording' : 'readRecordedInput';
      const [Player, { body, name }] = await Promise.all([
        content === 'output' ? loadPlayer() : null,
        readFile(reads, input, { signal }),
      ]);
      return { Player, body, name, cast: parseCast(await body.text()) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { data } = loaded;
  return (
    <Dialog
      title={t(`recordings.${content}Of`, { name: recording.userName })}
      footer={
        <>
          <Button disabled={!data} onClick={() => data && saveFile(data.body, data.name)}>
            {t('recordings.download')}
          </Button>
          <Button onClick={onClose}>{common('close')}</Button>
        </>
      }
      onCancel={onClose}
      width={960}
    >
      <RecordingSeal {...{ linkId, recording, running }} />
      {data ? (
        data.Player ? (
          <data.Player cast={data.cast} />
        ) : (
          <Typed cast={data.cast} />
        )
      ) : loaded.isError ? (
        <ErrorState error={loaded.error} onRetry={() => void loaded.refetch()} />
      ) : (
        <SkeletonRows rows={8} />
      )}
    </Dialog>
  );
}

/** What was typed, line by line. */
function Typed({ cast }: { cast: Cast }) {
  const { t } = useTranslation('links');
  const lines = useMemo(() => typedLines(cast.events), [cast]);
  if (lines.length === 0) return <p>{t('recordings.nothingTyped')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be reached with the keyboard
    <section aria-label={t('recordings.input')} tabIndex={0}>
      <dl className={css.typed}>
        {lines.map(({ at, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
          <Line key={index} at={clockOf(at)} text={text} />
        ))}
      </dl>
    </section>
  );
}

function Line({ at, text }: { at: string; text: string }) {
  return (
    <>
      <dt>{at}</dt>
      <dd>{text}</dd>
    </>
  );
}
