import type { FleetFrameRow } from '@chargehand/contract';
import { FRAME_TYPES } from '@chargehand/contract/constants';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '../../../../shared/api/client.ts';
import { useListQuery } from '../../../../shared/hooks/lists/use-list-query.ts';
import { useMedia } from '../../../../shared/hooks/use-media.ts';
import { filtersIn, type ListSpec } from '../../../../shared/lib/lists/list-query.ts';
import { ALL_FRAMES, useDevicesStream, useLive } from '../../../../shared/live/use-live.ts';
import { useDeviceRights } from '../../../../shared/session/use-device-rights.ts';
import { DeviceFilter } from '../../../../shared/ui/list-page/device/device-filter.tsx';
import { FilterBar } from '../../../../shared/ui/list-page/filter-bar.tsx';
import { FilterText, FilterTimes } from '../../../../shared/ui/list-page/filter-inputs.tsx';
import { SitePicker } from '../../../../shared/ui/list-page/pickers.tsx';
import { Page } from '../../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { ExactTime } from '../../../../shared/ui/values/time-ago.tsx';
import { FrameList } from '../frame-list.tsx';
import { FrameTypes } from '../frame-types.tsx';
import { pairFrames, withoutResponses } from '../frames.ts';
import css from '../protocol.module.css';
import { FrameDrawer } from './frame-drawer.tsx';
import { type FleetFrameFilters, useFleetFrames } from './use-fleet-frames.ts';

const filters = {
  siteId: 'number',
  deviceId: 'number',
  types: 'text',
  action: 'text',
  messageId: 'text',
  search: 'text',
  from: 'time',
  to: 'time',
} as const;
const SPEC: ListSpec<typeof filters, never> = { filters, sorts: [] };
const NAMES = Object.keys(FRAME_TYPES) as (keyof typeof FRAME_TYPES)[];
const STREAM = [ALL_FRAMES];

/** The protocol log: the frames of all devices, live. */
export default function ProtocolPage() {
  const { t } = useTranslation('audit');
  const { t: routes } = useTranslation('routes');
  const list = useListQuery(SPEC);
  const wanted: FleetFrameFilters = filtersIn(list.query);
  const types = NAMES.filter((name) => list.query.types?.split(',').includes(String(FRAME_TYPES[name])));
  return (
    <Page title={routes('logsProtocol')}>
      <div className="protocol">
        <FilterBar list={list}>
          <FrameTypes
            chosen={types}
            onChange={(next) =>
              list.change({ types: next.map((type) => FRAME_TYPES[type as 'open']).join(',') || undefined })
            }
          />
          <SitePicker placeholder={t('log.site')} {...list.field('siteId')} />
          <DeviceFilter placeholder={t('fleetFrames.device')} siteId={list.query.siteId} {...list.field('deviceId')} />
          <FilterText label={t('frame.action')} maxLength={64} {...list.field('action')} />
          <FilterText label={t('frame.messageId')} maxLength={64} {...list.field('messageId')} />
          <FilterText label={t('frame.search')} maxLength={100} {...list.field('search')} />
          <FilterTimes labels={[t('frame.from'), t('frame.to')]} from={list.field('from')} to={list.field('to')} />
        </FilterBar>
        <Log key={JSON.stringify(wanted)} filters={wanted} filtered={list.filtered} />
      </div>
    </Page>
  );
}

function Log({ filters, filtered }: { filters: FleetFrameFilters; filtered: boolean }) {
  const { t } = useTranslation('audit');
  const live = useLive();
  useDevicesStream(STREAM);
  const narrow = useMedia('(max-width: 760px)');
  const mayExport = useDeviceRights().download;
  const { query, older, fetchingOlder } = useFleetFrames(filters);
  const [paused, setPaused] = useState<number | null>(null);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const [opened, setOpened] = useState<FleetFrameRow | null>(null);
  const exporting = useMutation({ mutationFn: () => download('exportFleetFrames', { query: filters }) });

  const all = query.data?.frames;
  const { rows, pairs, byId } = useMemo(() => {
    // While paused, the log keeps its frames; older frames are still added at its end.
    const frames = (all ?? []).filter(({ id }) => paused === null || id <= paused);
    const pairs = pairFrames(frames);
    return { rows: withoutResponses(frames, pairs), pairs, byId: new Map(frames.map((frame) => [frame.id, frame])) };
  }, [all, paused]);

  if (query.isError && !query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data || !all) return <SkeletonRows rows={10} />;
  const { next, searchedTo, gaps, skipped } = query.data;
  return (
    <>
      <div className="protocol-bar">
        <Button
          onClick={() => setPaused(paused === null ? (all[0]?.id ?? 0) : null)}
          aria-pressed={paused !== null}
          type={paused === null ? 'default' : 'primary'}
        >
          {paused === null ? t('frame.pause') : t('frame.resume')}
        </Button>
        <span role="status" className="quiet">
          {paused !== null
            ? t('frame.arrived', { count: all.length - byId.size + skipped })
            : live.state === 'live'
              ? t('frame.following')
              : t('frame.polling')}
        </span>
        {skipped > 0 && <span className="quiet">{t('fleetFrames.skipped', { count: skipped })}</span>}
        <span className={`quiet ${css.protocolCount}`}>
          {t(next === null ? 'frame.countAll' : 'frame.count', { count: byId.size })}
        </span>
        {mayExport && (
          <Button loading={exporting.isPending} onClick={() => exporting.mutate()} title={t('fleetFrames.exportHint')}>
            {t('frame.export')}
          </Button>
        )}
      </div>
      {gaps && <p className="warning-note">{t('fleetFrames.gaps')}</p>}
      {searchedTo !== null && next !== null && (
        <p className={css.fleetNote} role="status">
          <span>
            {t('fleetFrames.searchedTo')} <ExactTime at={searchedTo} />
          </span>
          <Button loading={fetchingOlder} onClick={() => void older()}>
            {t('fleetFrames.searchOn')}
          </Button>
        </p>
      )}
      {rows.length === 0 ? (
        <EmptyState text={filtered ? t('frame.noMatch') : t('frame.none')} />
      ) : (
        <div className={css.fleetPanes}>
          <FrameList
            frames={rows}
            pairs={pairs}
            chosenId={chosenId}
            narrow={narrow}
            deviceOf={({ id }) => ({ sn: byId.get(id)?.sn ?? '', other: byId.get(pairs.get(id)?.otherId ?? 0) })}
            onChoose={setChosenId}
            onOpen={(id) => setOpened(byId.get(id) ?? null)}
            onEnd={() => void older()}
            busy={fetchingOlder}
          />
        </div>
      )}
      {opened && (
        <FrameDrawer key={opened.id} deviceId={opened.deviceId} frameId={opened.id} onClose={() => setOpened(null)} />
      )}
    </>
  );
}
