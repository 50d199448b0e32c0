import { Segmented, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { TimeRange, type TimeSpan } from '../../../shared/ui/times/time-range.tsx';
import { wired } from '../chart-data/chart-queries.ts';
import { type ChartWindow, edgesOf, RANGES, type RangeName } from '../chart-data/chart-window.ts';

interface Props {
  window: ChartWindow;
  onChange(patch: Record<string, string | undefined>): void;
}

/** Selects a moving range, or a custom one. */
export function RangePicker({ window, onChange }: Props) {
  const { t } = useTranslation('telemetry');
  const narrow = useMedia('(max-width: 760px)');
  const own = !('live' in window);
  // An incomplete range, which cannot be shown as a chart yet.
  const [edges, setEdges] = useState<TimeSpan | null>(null);

  function changeSpan({ from, to }: TimeSpan) {
    const [start, end] = [Date.parse(from ?? ''), to === null ? Date.now() : Date.parse(to)];
    const complete = start < end;
    setEdges(complete ? null : { from, to });
    if (complete) onChange({ range: undefined, ...wired({ from: start, to: end }) });
  }

  const choice = {
    'aria-label': t('charts.range'),
    value: own ? ('own' as const) : window.live,
    options: [
      ...(Object.keys(RANGES) as RangeName[]).map((range) => ({ value: range, label: t(`ranges.${range}`) })),
      { value: 'own' as const, label: t('ranges.own') },
    ],
    onChange(range: RangeName | 'own') {
      setEdges(null);
      if (range !== 'own') return onChange({ range, from: undefined, to: undefined });
      onChange({ range: undefined, ...wired(edgesOf(window, Date.now())) });
    },
  };
  return (
    <>
      {narrow ? <Select<RangeName | 'own'> {...choice} /> : <Segmented<RangeName | 'own'> {...choice} />}
      {own && (
        <TimeRange
          labels={[t('charts.from'), t('charts.to')]}
          value={edges ?? isoEdges(window)}
          onChange={changeSpan}
        />
      )}
    </>
  );
}

function isoEdges(window: ChartWindow): TimeSpan {
  const { from, to } = edgesOf(window, Date.now());
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}
