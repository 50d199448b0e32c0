import type { LinkRecording } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import type { Glyph } from '../../../shared/ui/tags/status-glyph.tsx';
import { Tag, type Tone } from '../../../shared/ui/tags/tag.tsx';
import css from './recordings.module.css';

type SealState = 'unchanged' | 'changed' | 'running';

const LOOKS: Record<SealState, { tone: Tone; glyph: Glyph }> = {
  unchanged: { tone: 'idle', glyph: 'check' },
  changed: { tone: 'faulted', glyph: 'cross' },
  running: { tone: 'working', glyph: 'clock' },
};

interface Props {
  linkId: number;
  recording: LinkRecording;
  /** its terminal is open */
  running: boolean;
}

/** Whether a recording is as it was stored, with what that means. The server compares once while this is shown. */
export function RecordingSeal({ linkId, recording, running }: Props) {
  const { t } = useTranslation('links');
  const { t: common } = useTranslation();
  const checked = useQuery({
    ...queryOf('checkRecording', { params: { id: linkId, recordingId: recording.id } }, { quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  });
  const seal = checked.data?.seal;
  const state: SealState | undefined = seal === 'unchanged' && running ? 'running' : seal;
  return (
    <p className={css.seal} role="status">
      {state ? (
        <>
          <Tag {...LOOKS[state]}>{t(`recordings.seals.${state}`)}</Tag>{' '}
          <span>{t(`recordings.sealTexts.${state}`)}</span>
        </>
      ) : checked.isError ? (
        <>
          <span>{t('recordings.sealFailed')}</span>
          <Button size="small" onClick={() => void checked.refetch()}>
            {common('error.retry')}
          </Button>
        </>
      ) : (
        <span className="quiet">{t('recordings.sealChecking')}</span>
      )}
    </p>
  );
}
