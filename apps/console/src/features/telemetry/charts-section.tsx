import type { DeviceDetail } from '@chargehand/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Segmented, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { call } from '../../shared/api/client.ts';
import { queryOf } from '../../shared/api/query.ts';
import { useLive } from '../../shared/api/use-live.ts';
import { useConnectorName } from '../../shared/hooks/use-connector-name.ts';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { ErrorState } from '../../shared/ui/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx';
import { type ChartWindow, edgesOf, panelsOf, windowOf } from './chart-window.ts';
import { RangePicker } from './range-picker.tsx';
import { TimeChart } from './time-chart.tsx';
import './charts.css';

/** What is shown before anybody chose: how much power flows, and what the vehicle has. */
const FIRST_KEYS = ['Power.Active.Import', 'SoC', 'Current.Import', 'Voltage', 'Energy.Active.Import.Register'];
const FIRST_COUNT = 3;

/** The course of the quantities a device reports, over a range that moves on or stands still. */
export default function ChartsSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('telemetry');
  const connectorName = useConnectorName(device.protocol);
  const [search, setSearch] = useSearchParams();
  const items = useQuery(queryOf('listReadingItems', { params: { id: device.id } }, { quiet: true }));
  const connectors = [...new Set(items.data?.items.map(({ connector }) => connector))];
  const wanted = Number(search.get('connector') ?? Number.NaN);
  const connector = connectors.includes(wanted) ? wanted : (connectors.find((one) => one > 0) ?? connectors[0]);
  const keys = [...new Set(items.data?.items.filter((item) => item.connector === connector).map(({ key }) => key))];
  const chosen = (search.get('keys')?.split(',') ?? firstKeys(keys)).filter((key) => keys.includes(key));
  const window = windowOf(search);
  const change = (patch: Record<string, string | undefined>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(patch)) value ? next.set(name, value) : next.delete(name);
        return next;
      },
      { replace: true },
    );

  if (items.isError && !items.data) return <ErrorState error={items.error} onRetry={() => void items.refetch()} />;
  if (!items.data) return <SkeletonRows rows={6} />;
  if (connector === undefined) return <EmptyState text={t('charts.nothing')} />;

  return (
    <div className="stack">
      <div className="field-row">
        {connectors.length > 1 && (
          <Segmented<number>
            aria-label={t('charts.connector')}
            value={connector}
            options={connectors.map((one) => ({
              value: one,
              label: connectorName(one),
            }))}
            onChange={(next) => change({ connector: String(next), keys: undefined })}
          />
        )}
        <Select
          className="charts-keys"
          mode="multiple"
          maxTagCount="responsive"
          value={chosen}
          placeholder={t('charts.choose')}
          aria-label={t('charts.quantities')}
          options={keys.map((key) => ({ value: key, label: key }))}
          onChange={(next: string[]) => change({ keys: next.join(',') || undefined })}
        />
        <RangePicker window={window} onChange={change} />
      </div>
      {chosen.length === 0 ? (
        <EmptyState text={t('charts.choose')} />
      ) : (
        <Charts
          deviceId={device.id}
          connector={connector}
          keys={chosen}
          window={window}
          onZoom={(from, to) =>
            change({ range: undefined, from: new Date(from).toISOString(), to: new Date(to).toISOString() })
          }
        />
      )}
    </div>
  );
}

interface ChartsProps {
  deviceId: number;
  connector: number;
  keys: string[];
  window: ChartWindow;
  onZoom(from: number, to: number): void;
}

function Charts({ deviceId, connector, keys, window, onZoom }: ChartsProps) {
  const { t } = useTranslation('telemetry');
  const live = useLive();
  const series = useQuery({ ...seriesOf(deviceId, connector, keys, window), placeholderData: keepPreviousData });
  if (series.isError && !series.data) return <ErrorState error={series.error} onRetry={() => void series.refetch()} />;
  if (!series.data) return <SkeletonRows rows={8} />;
  const panels = panelsOf(series.data.series);
  const points = panels.reduce((sum, panel) => sum + panel.at.length, 0);
  if (points === 0) return <EmptyState text={t('charts.emptyRange')} />;
  const banded = panels.some((panel) => panel.bands.some(Boolean));
  return (
    <>
      {panels.map((panel) => (
        <TimeChart key={panel.unit} panel={panel} edges={series.data.edges} onZoom={onZoom} />
      ))}
      <p className="quiet charts-note">
        {t('charts.zone')} {banded && t('charts.band')} {'live' in window && live.state === 'live' && t('charts.live')}{' '}
        {t('charts.keys')}
      </p>
    </>
  );
}

/** The series of a window. A live one is asked again under the same key, with its edges moved to the present. */
function seriesOf(deviceId: number, connector: number, keys: string[], window: ChartWindow) {
  return queryOptions({
    queryKey: ['readSeries', { params: { id: deviceId } }, connector, keys, window] as const,
    queryFn: async ({ signal }) => {
      const edges = edgesOf(window, Date.now());
      const query = {
        connector,
        keys: keys.join(','),
        from: new Date(edges.from).toISOString(),
        to: new Date(edges.to).toISOString(),
      };
      const { series } = await call('readSeries', { params: { id: deviceId }, query }, { signal, quiet: true });
      return { edges, series };
    },
  });
}

function firstKeys(keys: readonly string[]): string[] {
  const groups = FIRST_KEYS.map((first) => keys.filter((key) => key.split(/\.L\d|@/)[0] === first));
  const known = groups.filter((group) => group.length > 0).slice(0, FIRST_COUNT);
  return known.length > 0 ? known.flat() : keys.slice(0, FIRST_COUNT);
}
