import type { IssueDetail, IssueEvidence, ProtocolFrameRow } from '@chargehand/contract';
import { formatTime } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../../shared/api/query.ts';
import { usePermitted } from '../../../../shared/session/permitted.tsx';
import { Panel } from '../../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { LazyTextView } from '../../../../shared/ui/text-view/lazy-text-view.tsx';

/** The protocol log of the hour before the issue was created, loaded on request, with search. */
export function FramesPanel({ issue, frames }: { issue: IssueDetail; frames: IssueEvidence['frames'] }) {
  const { t } = useTranslation('issue');
  const [opened, setOpened] = useState(false);
  const allowed = usePermitted(['auth_device_detail', 'auth_logs_protocol']);
  return (
    <Panel title={t('evidence.frames')} extra={frames.count > 0 && <span className="quiet">{frames.count}</span>}>
      <div className="stack">
        {frames.count === 0 && <p className="quiet">{t('evidence.noFrames')}</p>}
        {frames.count > 0 && !frames.complete && <p className="quiet">{t('evidence.framesCut')}</p>}
        {frames.count > 0 &&
          (!allowed ? (
            <p className="quiet">{t('evidence.framesWithheld')}</p>
          ) : opened ? (
            <Frames id={issue.id} />
          ) : (
            <div>
              <Button onClick={() => setOpened(true)}>{t('evidence.showFrames')}</Button>
            </div>
          ))}
      </div>
    </Panel>
  );
}

const NOTHING_MORE = { run: () => undefined, loading: false, error: null };

function Frames({ id }: { id: number }) {
  const { t } = useTranslation('issue');
  const frames = useQuery({
    ...queryOf('readIssueFrames', { params: { id } }, { quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const text = useMemo(() => (frames.data ? frames.data.items.toReversed().map(lineOf).join('\n') : ''), [frames.data]);
  if (frames.data) return <LazyTextView name={t('evidence.frames')} text={text} loaded={null} more={NOTHING_MORE} />;
  return frames.isError ? (
    <ErrorState error={frames.error} onRetry={() => void frames.refetch()} />
  ) : (
    <SkeletonRows rows={6} />
  );
}

/** Spec §3: types of frames. The arrows point from and to the device. */
const MARKS = ['open', 'close', '←', '→'];

function lineOf({ at, type, body, action, note }: ProtocolFrameRow): string {
  return [formatTime(at), MARKS[type] ?? '', body ?? action ?? '', note === null ? '' : `(${note})`]
    .filter(Boolean)
    .join(' ');
}
