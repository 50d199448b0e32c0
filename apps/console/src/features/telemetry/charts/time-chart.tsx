import { formatTime, inReadableUnit, valueText } from '@chargehand/domain';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import { useTheme } from '../../../shared/theme/theme.ts';
import type { Mark } from '../chart-data/chart-marks.ts';
import { type DrawnSeries, type Panel, valueAt } from '../chart-data/chart-panels.ts';
import type { Edges } from '../chart-data/chart-window.ts';
import { COLOURS, chartOptions, type PlotArea } from './chart-options.ts';
import 'uplot/dist/uPlot.min.css';
import css from './charts.module.css';

interface Props {
  panel: Panel;
  /** series hidden by the user */
  hidden: ReadonlySet<string>;
  onToggle(id: string): void;
  /** the edges of the time axis */
  edges: Edges;
  marks: readonly Mark[];
  /** called with a range selected with the mouse */
  onZoom(edges: Edges): void;
  /** called with the move or zoom of a key */
  onKey(key: 'back' | 'on' | 'in' | 'out' | 'reset'): void;
  /** called with the drawing, or null when it is destroyed */
  onPlot(panel: string, plot: uPlot | null): void;
  /** content above the plot, with the same width */
  above?: (area: PlotArea) => ReactNode;
}

/**
 * A chart. The pointer or the arrow keys show values. Selecting a range zooms into it, as do plus and minus; Shift with
 * the arrow keys moves in time. A click on a name in the legend hides its line.
 */
export function TimeChart({ panel, hidden, onToggle, edges, marks, onZoom, onKey, onPlot, above }: Props) {
  const { t } = useTranslation('telemetry');
  const theme = useTheme();
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [index, setIndex] = useState<number | null>(null);
  const [area, setArea] = useState<PlotArea>({ left: 0, width: 0 });
  const current = useRef({ panel, edges, marks, onZoom, onPlot });
  current.current = { panel, edges, marks, onZoom, onPlot };
  const shape = `${theme} ${panel.key} ${panel.bars} ${panel.series.map(({ id, unit, label, place }, i) => `${id} ${unit} ${label} ${place}${panel.bands[i] ? '~' : ''}`).join()}`;

  // The chart is only created again when its series or colors change; new points are passed to the existing one.
  useEffect(() => {
    const host = box.current;
    if (!host || shape === '') return;
    const made = new uPlot(
      chartOptions({
        panel: current.current.panel,
        width: host.clientWidth,
        edges: () => current.current.edges,
        marks: () => current.current.marks,
        onIndex: setIndex,
        onZoom: (marked) => current.current.onZoom(marked),
        onArea: (next) =>
          setArea((before) => (before.left === next.left && before.width === next.width ? before : next)),
      }),
      dataOf(current.current.panel),
      host,
    );
    plot.current = made;
    const { key } = current.current.panel;
    current.current.onPlot(key, made);
    const observer = new ResizeObserver(() => made.setSize({ width: host.clientWidth, height: made.height }));
    observer.observe(host);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
      current.current.onPlot(key, null);
    };
  }, [shape]);
  useEffect(() => {
    const made = plot.current;
    if (!made || marks.length < 0) return;
    made.batch(() => {
      made.setData(dataOf(panel), false);
      made.setScale('x', { min: edges.from / 1_000, max: edges.to / 1_000 });
      for (const [place, { id }] of panel.series.entries()) show(made, panel, place, !hidden.has(id));
    });
  }, [panel, edges, hidden, marks]);

  function press(event: KeyboardEvent) {
    const made = plot.current;
    const move = event.shiftKey ? SHIFTED[event.key] : KEYS[event.key];
    if (move) {
      event.preventDefault();
      onKey(move);
      return;
    }
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
      <figcaption>
        {panel.series.map((series, column) => {
          const value = valueAt(panel, column, index);
          return (
            <button
              key={series.id}
              type="button"
              className={`chart-key chart-key-${series.place % COLOURS}`}
              data-dashed={series.place >= COLOURS}
              aria-pressed={!hidden.has(series.id)}
              title={t('charts.toggle')}
              onClick={() => onToggle(series.id)}
            >
              <span>{series.label}</span>
              <strong>{value === null ? '–' : seriesText(series, value)}</strong>
            </button>
          );
        })}
        <span className={css.chartTime} aria-live="polite">
          {at === undefined ? t('charts.latest') : formatTime(at * 1_000)}
        </span>
      </figcaption>
      {above?.(area)}
      <div
        ref={box}
        className="chart-plot"
        role="slider"
        tabIndex={0}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, panel.at.length - 1)}
        aria-valuenow={index ?? Math.max(0, panel.at.length - 1)}
        aria-valuetext={at === undefined ? t('charts.latest') : pointText(panel, index, at)}
        aria-label={t('charts.label', { quantities: panel.series.map(({ label }) => label).join(', ') })}
        onKeyDown={press}
      />
    </figure>
  );
}

const KEYS: Record<string, 'in' | 'out' | 'reset'> = { '+': 'in', '=': 'in', '-': 'out', Escape: 'reset' };
const SHIFTED: Record<string, 'back' | 'on' | 'in'> = { ArrowLeft: 'back', ArrowRight: 'on', '+': 'in' };

/** The time and the values of a point as text. */
function pointText(panel: Panel, index: number | null, at: number): string {
  const values = panel.series.flatMap((series, column) => {
    const value = valueAt(panel, column, index);
    return value === null ? [] : [`${series.label} ${seriesText(series, value)}`];
  });
  return [formatTime(at * 1_000), ...values].join(', ');
}

/** A value of a series as text: the label of an entry, or the number with its unit. */
function seriesText({ labels, unit }: DrawnSeries, value: number): string {
  const shown = inReadableUnit(value, unit);
  return labels.get(value) ?? `${valueText(shown.value)} ${shown.unit}`;
}

/** Shows or hides a series and the range behind it. */
function show(plot: uPlot, panel: Panel, place: number, visible: boolean): void {
  const banded = panel.bands.slice(0, place).filter(Boolean).length;
  const edge = 1 + panel.series.length + banded * 2;
  for (const one of [1 + place, ...(panel.bands[place] ? [edge, edge + 1] : [])]) {
    if (plot.series[one]?.show !== visible) plot.setSeries(one, { show: visible });
  }
}

function dataOf(panel: Panel): uPlot.AlignedData {
  const bands = panel.bands.flatMap((band) => (band ? [band.high, band.low] : []));
  return [panel.at, ...panel.columns, ...bands];
}
