import type { DeviceDetail, ProtocolFrameRow } from '@chargehand/contract';
import { FRAME_TYPES } from '@chargehand/contract/constants';
import { EVIDENCE_LIMITS } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { download } from '../../../shared/api/client.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { useTyped } from '../../../shared/hooks/use-typed.ts';
import { useLive } from '../../../shared/live/use-live.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { AddToIssue } from '../../../shared/ui/issues/add/add-to-issue.tsx';
import { uploadedFileNode } from '../../../shared/ui/issues/add/issue-nodes.ts';
import { useAddsToIssues } from '../../../shared/ui/issues/add/use-adds-to-issues.ts';
import { ClearFilters, FilterFold } from '../../../shared/ui/list-page/filter-bar.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { TimeRange, type TimeSpan } from '../../../shared/ui/times/time-range.tsx';
import { FrameDetail } from './frame-detail.tsx';
import { FrameList } from './frame-list.tsx';
import { framesFile } from './frame-nodes.ts';
import { FrameTypes } from './frame-types.tsx';
import { pairFrames } from './frames.ts';
import css from './protocol.module.css';
import { type FrameFilters, useFrames } from './use-frames.ts';

const ANY_TIME: TimeSpan = { from: null, to: null };

/** The protocol log of a device: every frame, its content, its response and the response time. */
export default function ProtocolSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('audit');
  const [types, setTypes] = useState<readonly string[]>([]);
  const [action, setAction] = useState('');
  const [search, setSearch] = useState('');
  const [times, setTimes] = useState(ANY_TIME);
  const filters: FrameFilters = {
    ...(types.length > 0 && { types: types.map((type) => FRAME_TYPES[type as 'open']).join(',') }),
    ...(action && { action }),
    ...(search && { search }),
    ...(times.from && { from: times.from }),
    ...(times.to && { to: times.to }),
  };
  const typedAction = useTyped(action, setAction);
  const typedSearch = useTyped(search, setSearch);
  const filtered = Object.keys(filters).length > 0;
  const clear = () => {
    setTypes([]);
    setTimes(ANY_TIME);
    typedAction.settleNow('');
    typedSearch.settleNow('');
  };

  return (
    <div className="protocol">
      <div className="filters">
        <FilterFold filtered={filtered}>
          <FrameTypes chosen={types} onChange={setTypes} />
          <Input
            className={css.protocolAction}
            allowClear
            value={typedAction.text}
            placeholder={t('frame.action')}
            aria-label={t('frame.action')}
            title={t('frame.actionHint')}
            onChange={(event) => typedAction.type(event.target.value)}
          />
          <Input.Search
            className={css.protocolSearch}
            allowClear
            value={typedSearch.text}
            placeholder={t('frame.search')}
            aria-label={t('frame.search')}
            title={t('frame.searchHint')}
            onChange={(event) => typedSearch.type(event.target.value)}
            onSearch={typedSearch.settleNow}
          />
          <TimeRange labels={[t('frame.from'), t('frame.to')]} value={times} onChange={setTimes} />
        </FilterFold>
        {filtered && <ClearFilters onClear={clear} />}
      </div>
      <Log key={JSON.stringify(filters)} device={device} filters={filters} filtered={filtered} />
    </div>
  );
}

function Log({ device, filters, filtered }: { device: DeviceDetail; filters: FrameFilters; filtered: boolean }) {
  const { t } = useTranslation('audit');
  const live = useLive();
  const narrow = useMedia('(max-width: 760px)');
  const { query, older, fetchingOlder } = useFrames(device.id, filters);
  const [paused, setPaused] = useState<ProtocolFrameRow[] | null>(null);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const mayExport = usePermitted(['auth_device_detail', 'auth_logs_protocol']) && device.may.download;
  const mayOpenLog = usePermitted(['auth_logs_protocol']);
  const { t: common } = useTranslation();
  const toIssue = useAddsToIssues();
  const [adds, setAdds] = useState(false);
  const exporting = useMutation({
    mutationFn: () => download('exportFrames', { params: { id: device.id }, query: filters }),
  });

  const all = query.data?.frames ?? [];
  // While paused, the log keeps its frames; older frames are still added at its end.
  const top = paused?.[0]?.id;
  const frames = useMemo(
    () => (top === undefined ? (query.data?.frames ?? []) : (query.data?.frames ?? []).filter(({ id }) => id <= top)),
    [query.data, top],
  );
  const arrived = all.length - frames.length;
  const pairs = useMemo(() => pairFrames(all), [all]);
  const chosen = all.find(({ id }) => id === chosenId) ?? null;
  const pair = chosen ? pairs.get(chosen.id) : undefined;

  if (query.isError && !query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <SkeletonRows rows={10} />;
  return (
    <>
      <div className="protocol-bar">
        <Button
          onClick={() => setPaused(paused ? null : all)}
          aria-pressed={paused !== null}
          type={paused ? 'primary' : 'default'}
          disabled={all.length === 0}
        >
          {paused ? t('frame.resume') : t('frame.pause')}
        </Button>
        <span role="status" className="quiet">
          {paused
            ? t('frame.arrived', { count: arrived })
            : live.state === 'live'
              ? t('frame.following')
              : t('frame.polling')}
        </span>
        <span className={`quiet ${css.protocolCount}`}>
          {t(query.data.next === null ? 'frame.countAll' : 'frame.count', { count: frames.length })}
        </span>
        {mayOpenLog && <Link to={`/manage/logs/protocol?deviceId=${device.id}`}>{t('frame.inLog')}</Link>}
        {toIssue && (
          <Button disabled={frames.length === 0} onClick={() => setAdds(true)}>
            {common('issue.add')}
          </Button>
        )}
        {mayExport && (
          <Button loading={exporting.isPending} onClick={() => exporting.mutate()} title={t('frame.exportHint')}>
            {t('frame.export')}
          </Button>
        )}
      </div>
      {adds && (
        <AddToIssue
          name={t('frame.added', { count: Math.min(frames.length, EVIDENCE_LIMITS.frames) })}
          deviceId={device.id}
          prepare={async (issueId, signal) => [
            await uploadedFileNode(issueId, framesFile(device.name, frames), signal),
          ]}
          onClose={() => setAdds(false)}
        />
      )}
      {frames.length === 0 ? (
        <EmptyState text={filtered ? t('frame.noMatch') : t('frame.none')} />
      ) : (
        <div className={css.protocolPanes} data-detail={chosen !== null}>
          <FrameList
            frames={frames}
            pairs={pairs}
            chosenId={chosenId}
            narrow={narrow}
            onChoose={setChosenId}
            onEnd={() => void older()}
            busy={fetchingOlder}
          />
          {chosen && (
            <FrameDetail
              deviceId={device.id}
              frame={chosen}
              pair={pair}
              other={pair ? (all.find(({ id }) => id === pair.otherId) ?? null) : null}
              onChoose={setChosenId}
              onClose={() => setChosenId(null)}
            />
          )}
        </div>
      )}
    </>
  );
}
