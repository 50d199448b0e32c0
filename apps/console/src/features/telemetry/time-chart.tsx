import { formatTime } from '@chargehand/domain';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import { useTheme } from '../../shared/theme/theme.ts';
import { chartOptions } from './chart-options.ts';
import { type Panel, valueAt } from './chart-window.ts';
import { inReadableUnit, valueText } from './reading-text.ts';
import 'uplot/dist/uPlot.min.css';

interface Props {
  panel: Panel;
  /** where the time axis begins and ends, in epoch milliseconds */
  edges: { from: number; to: number };
  /** a stretch was marked with the mouse */
  onZoom(from: number, to: number): void;
}

/** One chart: the series of one unit. The pointer or the arrow keys read values; marking a stretch zooms into it. */
export function TimeChart({ panel, edges, onZoom }: Props) {
  const { t } = useTranslation('telemetry');
  const theme = useTheme();
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const zoom = useRef(onZoom);
  zoom.current = onZoom;
  const current = useRef({ panel, edges });
  current.current = { panel, edges };
  const [index, setIndex] = useState<number | null>(null);
  const shape = `${theme} ${panel.unit} ${panel.series.map(({ key }, i) => `${key}${panel.bands[i] ? '~' : ''}`).join()}`;

  // The chart is made anew only when its series or its colours change; new points are handed to the one that is there.
  useEffect(() => {
    const host = box.current;
    if (!host || shape === '') return;
    const made = new uPlot(
      chartOptions({
        panel: current.current.panel,
        width: host.clientWidth,
        edges: () => current.current.edges,
        onIndex: setIndex,
        onZoom: (from, to) => zoom.current(from, to),
      }),
      dataOf(current.current.panel),
      host,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: host.clientWidth, height: made.height }));
    observer.observe(host);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape]);
  useEffect(() => {
    plot.current?.setData(dataOf(panel), false);
    plot.current?.setScale('x', { min: edges.from / 1_000, max: edges.to / 1_000 });
  }, [panel, edges]);

  function read(event: KeyboardEvent) {
    const made = plot.current;
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20, Home: -1e9, End: 1e9 }[event.key];
    if (!made || step === undefined) return;
    event.preventDefault();
    const last = panel.at.length - 1;
    const next = Math.min(last, Math.max(0, (index ?? last) + step));
    made.setCursor({ left: made.valToPos(panel.at[next]!, 'x'), top: 10 });
    setIndex(next);
  }

  const at = index === null ? undefined : panel.at[index];
  return (
    <figure className="chart">
      <figcaption aria-live="polite">
        {panel.series.map((series, column) => {
          const value = valueAt(panel, column, index);
          const shown = value === null ? null : inReadableUnit(value, series.unit);
          return (
            <span key={series.key} className={`chart-key chart-key-${column % 6}`}>
              <span>{series.key}</span>
              <strong>{shown ? `${valueText(shown.value)} ${shown.unit}` : '–'}</strong>
            </span>
          );
        })}
        <span className="chart-time">{at === undefined ? t('charts.latest') : formatTime(at * 1_000)}</span>
      </figcaption>
      <div
        ref={box}
        className="chart-plot"
        role="slider"
        tabIndex={0}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, panel.at.length - 1)}
        aria-valuenow={index ?? Math.max(0, panel.at.length - 1)}
        aria-valuetext={at === undefined ? t('charts.latest') : formatTime(at * 1_000)}
        aria-label={t('charts.label', { quantities: panel.series.map(({ key }) => key).join(', ') })}
        onKeyDown={read}
      />
    </figure>
  );
}

function dataOf(panel: Panel): uPlot.AlignedData {
  const bands = panel.bands.flatMap((band) => (band ? [band.high, band.low] : []));
  return [panel.at, ...panel.columns, ...bands];
}
