import { Segmented, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { instantOf, wallTimeOf } from '../../../shared/lib/time/wall-time.ts';
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
  const [edges, setEdges] = useState<{ from: string; to: string } | null>(null);
  const shown = edges ?? wallEdges(window);

  function turn(patch: Partial<typeof shown>) {
    const next = { ...shown, ...patch };
    setEdges(next);
    const from = instantOf(next.from);
    const to = instantOf(next.to);
    if (!(from < to)) return;
    setEdges(null);
    onChange({ range: undefined, ...wired({ from, to }) });
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
        <span className="field-row">
          <input
            type="datetime-local"
            className="time-input"
            aria-label={t('charts.from')}
            value={shown.from}
            max={shown.to}
            onChange={(event) => turn({ from: event.target.value })}
          />
          {'–'}
          <input
            type="datetime-local"
            className="time-input"
            aria-label={t('charts.to')}
            value={shown.to}
            min={shown.from}
            onChange={(event) => turn({ to: event.target.value })}
          />
        </span>
      )}
    </>
  );
}

function wallEdges(window: ChartWindow): { from: string; to: string } {
  const { from, to } = edgesOf(window, Date.now());
  return { from: wallTimeOf(from), to: wallTimeOf(to) };
}
