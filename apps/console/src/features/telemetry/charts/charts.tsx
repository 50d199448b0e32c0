import { PictureOutlined } from '@ant-design/icons';
import type { ReadingItem } from '@chargehand/contract';
import { entryLabels } from '@chargehand/domain';
import { Button, Checkbox, Segmented } from 'antd';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import { download } from '../../../shared/api/client.ts';
import { addressNow, useAddress } from '../../../shared/hooks/lists/use-address.ts';
import { useNames } from '../../../shared/i18n/use-names.ts';
import { saveFile } from '../../../shared/lib/files/save-file.ts';
import { useLive } from '../../../shared/live/use-live.ts';
import { AddToIssue } from '../../../shared/ui/issues/add/add-to-issue.tsx';
import { fileNameOf, uploadedFileNode } from '../../../shared/ui/issues/add/issue-nodes.ts';
import { useAddsToIssues } from '../../../shared/ui/issues/add/use-adds-to-issues.ts';
import { ExportButton } from '../../../shared/ui/list-page/export-button.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { type DrawnSeries, panelsOf } from '../chart-data/chart-panels.ts';
import { type ChartDevice, useMarks, useReadingItems, useSeries, wired } from '../chart-data/chart-queries.ts';
import { chartTable } from '../chart-data/chart-table.ts';
import {
  type ChartWindow,
  type Edges,
  edgesOf,
  marked,
  moved,
  stretched,
  windowOf,
} from '../chart-data/chart-window.ts';
import { firstItems, itemOf } from '../chart-data/first-items.ts';
import { useItemNames } from '../use-item-names.ts';
import { pictureOf } from './chart-png.ts';
import css from './charts.module.css';
import { ItemSelect } from './item-select.tsx';
import { MarksStrip } from './marks-strip.tsx';
import { RangePicker } from './range-picker.tsx';
import { TimeChart } from './time-chart.tsx';
import { WindowButtons, type WindowMove } from './window-buttons.tsx';

interface Props {
  devices: readonly ChartDevice[];
  mayDownload: boolean;
}

type Change = (patch: Record<string, string | undefined>) => void;

/** Charts of selected quantities of several devices. The selection is stored in the URL. */
export function Charts({ devices, mayDownload }: Props) {
  const { t } = useTranslation('telemetry');
  const [search, setSearch] = useAddress();
  const known = useReadingItems(devices);
  if (known.failed) return <ErrorState error={known.failed.error} onRetry={() => void known.failed?.refetch()} />;
  if (!known.items) return <SkeletonRows rows={6} />;
  const items = [...new Map(known.items.flat().map((item) => [itemOf(item), item])).values()];
  if (items.length === 0) return <EmptyState text={t('charts.nothing')} />;

  const change: Change = (patch) =>
    setSearch((next) => {
      for (const [name, value] of Object.entries(patch)) value ? next.set(name, value) : next.delete(name);
      return next;
    });
  const named = search.getAll('item');
  const chosen = (named.length > 0 ? named : firstItems(items)).filter((one) => items.some((i) => itemOf(i) === one));
  const choose = (next: string[]) =>
    setSearch((params) => {
      params.delete('item');
      for (const item of next) params.append('item', item);
      return params;
    });
  const window = windowOf(search);
  const counts = items.some((item) => item.counter && chosen.includes(itemOf(item)));
  const counters = search.get('counters') === 'rise' ? 'rise' : 'level';
  const shownItems = items.filter((item) => chosen.includes(itemOf(item)));
  return (
    <div className="stack">
      <div className="field-row">
        <ItemSelect protocol={devices[0]?.protocol ?? null} items={items} chosen={chosen} onChange={choose} />
        <RangePicker window={window} onChange={change} />
      </div>
      {chosen.length === 0 ? (
        <EmptyState text={t('charts.choose')} />
      ) : (
        <Drawn
          {...{ devices, mayDownload, window, change }}
          counters={counts ? counters : null}
          items={shownItems}
          together={search.get('together') === '1'}
          hidden={new Set(search.get('hide')?.split('|'))}
        />
      )}
    </div>
  );
}

interface DrawnProps extends Props {
  items: readonly ReadingItem[];
  window: ChartWindow;
  /** null when none of the quantities is a counter */
  counters: 'level' | 'rise' | null;
  together: boolean;
  hidden: ReadonlySet<string>;
  change: Change;
}

function Drawn({ devices, mayDownload, items, window, counters, together, hidden, change }: DrawnProps) {
  const { t } = useTranslation('telemetry');
  const { t: common } = useTranslation();
  const live = useLive();
  const keys = items.map(itemOf);
  const { series, edges, fetching, failed } = useSeries({
    devices,
    items: keys,
    window,
    counters: counters ?? 'level',
  });
  const { marks, more } = useMarks(devices, window);
  const nameSeries = useSeriesNames(devices, items);
  const panels = useMemo(() => panelsOf(nameSeries(series ?? []), together), [series, together, nameSeries]);
  const plots = useRef(new Map<string, uPlot>());

  const showEdges = (next: Edges) => change({ range: undefined, ...wired(next) });
  const move = (by: WindowMove) => {
    const now = Date.now();
    // Two key presses in quick succession are two steps, even if the first is not rendered yet.
    const present = edgesOf(windowOf(addressNow()), now);
    if (by === 'reset') return change({ from: undefined, to: undefined, range: undefined });
    if (by === 'back' || by === 'on') return showEdges(moved(present, by === 'back' ? -0.5 : 0.5, now));
    showEdges(stretched(present, by === 'in' ? 0.5 : 2, now));
  };
  const toggle = (id: string) => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    change({ hide: [...next].filter((one) => one !== '').join('|') || undefined });
  };
  const picture = async () => {
    const shown = panels.flatMap((panel) => {
      const plot = plots.current.get(panel.key);
      return plot ? [{ panel, plot }] : [];
    });
    return await pictureOf(title, shown, hidden);
  };
  const title = devices.map(({ name }) => name).join(', ');
  const savePicture = async () => saveFile(await picture(), `${title}.png`);
  const toIssue = useAddsToIssues();
  const [adds, setAdds] = useState(false);
  const chartNodes = async (issueId: number, signal: AbortSignal) => {
    const name = fileNameOf(title);
    const files = [new File([await picture()], `${name}.png`), new File([chartTable(panels, hidden)], `${name}.csv`)];
    return await Promise.all(files.map((file) => uploadedFileNode(issueId, file, signal)));
  };

  const [first, ...others] = devices;
  const reporting = new Set(series?.flatMap(({ deviceId, at }) => (at.length > 0 ? [deviceId] : [])));
  const silent = devices.filter(({ id }) => !reporting.has(id));
  const empty = panels.every(({ at }) => at.length === 0);
  const banded = panels.some((panel) => panel.bands.some(Boolean));
  const coarsest = (series ?? []).map(({ step, rise }) => (rise ? 0 : step)).reduce((a, b) => Math.max(a, b), 0);
  const { unit, count } = spanOf(coarsest);
  return (
    <>
      <div className={`field-row ${css.chartsActions}`}>
        <WindowButtons onMove={move} fixed={!('live' in window)} />
        {counters && (
          <Segmented<'level' | 'rise'>
            aria-label={t('charts.counters')}
            value={counters}
            options={[
              { value: 'level', label: t('charts.counterLevel') },
              { value: 'rise', label: t('charts.counterRise') },
            ]}
            onChange={(next) => change({ counters: next === 'rise' ? next : undefined })}
          />
        )}
        <Checkbox checked={together} onChange={({ target }) => change({ together: target.checked ? '1' : undefined })}>
          {t('charts.together')}
        </Checkbox>
        <span className={css.chartsSpacer} />
        <Button icon={<PictureOutlined aria-hidden="true" />} disabled={empty} onClick={() => void savePicture()}>
          {t('charts.picture')}
        </Button>
        {toIssue && (
          <Button disabled={empty} onClick={() => setAdds(true)}>
            {common('issue.add')}
          </Button>
        )}
        {mayDownload && first && (
          <ExportButton
            disabled={empty}
            fetch={(options) => {
              const query = {
                items: keys.map(encodeURIComponent).join(','),
                also: others.map(({ id }) => id).join(',') || undefined,
                ...wired(edgesOf(window, Date.now())),
              };
              return download('exportReadings', { params: { id: first.id }, query }, options);
            }}
          />
        )}
      </div>
      {adds && (
        <AddToIssue
          name={t('charts.addedChart', { name: title })}
          deviceId={first?.id}
          prepare={chartNodes}
          onClose={() => setAdds(false)}
        />
      )}
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : !series || !edges ? (
        <SkeletonRows rows={8} />
      ) : empty ? (
        <EmptyState text={t('charts.emptyRange')} />
      ) : (
        <div className="stack" data-refreshing={fetching} aria-busy={fetching}>
          {panels.map((panel, index) => (
            <TimeChart
              key={panel.key}
              {...{ panel, hidden, edges, marks }}
              onToggle={toggle}
              onZoom={(next) => showEdges(marked(next))}
              onKey={move}
              onPlot={(key, plot) => (plot ? plots.current.set(key, plot) : plots.current.delete(key))}
              {...(index === 0
                ? {
                    above: (area) => <MarksStrip {...{ marks, edges, area }} several={devices.length > 1} />,
                  }
                : {})}
            />
          ))}
        </div>
      )}
      {series && !empty && silent.length > 0 && (
        <p className="warning-note">
          {t('charts.silent', { names: silent.map(({ name }) => name).join(t('items.comma')) })}
        </p>
      )}
      <p className={`quiet ${css.chartsNote}`}>
        {t('charts.zone')} {coarsest > 0 && t('charts.step', { step: t(`span.${unit}`, { count }) })}{' '}
        {banded && t('charts.band')} {more && t('marks.more')}{' '}
        {'live' in window && live.state === 'live' && t('charts.live')} {t('charts.keys')}
      </p>
    </>
  );
}

/** Short unique names of series: with connector and device only when there are several. */
function useSeriesNames(devices: readonly ChartDevice[], items: readonly ReadingItem[]) {
  const { nameOf, connectorOf } = useItemNames();
  const { language } = useNames();
  const connectors = new Set(items.map(({ connector }) => connector)).size;
  const shape = JSON.stringify([devices, items, language]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` contains everything that the names depend on
  return useMemo(
    () =>
      (series: readonly Omit<DrawnSeries, 'id' | 'label' | 'place' | 'labels'>[]): DrawnSeries[] =>
        series.map((one, place) => {
          const item = items.find(({ connector, key }) => connector === one.connector && key === one.key);
          const device = devices.find(({ id }) => id === one.deviceId);
          const label = [
            item ? nameOf(item) : one.key,
            ...(connectors > 1 ? [connectorOf(one.connector, device?.protocol ?? null)] : []),
            ...(devices.length > 1 ? [device?.name ?? ''] : []),
          ].join(' · ');
          const labels = entryLabels(item?.entries ?? '', language);
          return { ...one, place, label, labels, id: `${one.deviceId}:${itemOf(one)}:${one.unit}` };
        }),
    [shape],
  );
}

/** A duration in the largest unit in which it is at least one. */
function spanOf(seconds: number): { unit: 's' | 'min' | 'h' | 'd'; count: number } {
  const [length, unit] = SPANS.find(([least]) => seconds >= least) ?? ([1, 's'] as const);
  return { unit, count: Number((seconds / length).toFixed(1)) };
}

const SPANS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const;
