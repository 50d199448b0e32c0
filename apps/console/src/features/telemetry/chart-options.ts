import { DEFAULT_ZONE } from '@chargehand/domain';
import uPlot from 'uplot';
import type { Panel } from './chart-window.ts';
import { inReadableUnit, tickText } from './reading-text.ts';

const HEIGHT = 190;
/** As many as charts.css has colours for. */
const COLOURS = 6;

interface Parts {
  panel: Panel;
  width: number;
  /** where the time axis begins and ends, in epoch milliseconds */
  edges(): { from: number; to: number };
  onIndex(index: number | null): void;
  onZoom(from: number, to: number): void;
}

/** How uPlot draws a panel: lines, the span between lowest and highest behind them, gaps as gaps, time in the user's zone. */
export function chartOptions({ panel, width, edges, onIndex, onZoom }: Parts): uPlot.Options {
  const colour = readColours();
  const lines = panel.series.map(
    (series, index): uPlot.Series => ({
      label: series.key,
      stroke: colour(`series-${index % COLOURS}`),
      width: 1.5,
      spanGaps: false,
      points: { show: series.at.length < 60, size: 4, fill: colour(`series-${index % COLOURS}`) },
    }),
  );
  const first = lines.length + 1;
  const banded = panel.bands.flatMap((band, index) => (band ? [index] : []));
  const edge: uPlot.Series = { stroke: 'transparent', width: 0, points: { show: false } };
  const axis = {
    stroke: colour('ink-3'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { stroke: colour('line'), width: 1, size: 4 },
    font: `11px ${getComputedStyle(document.body).fontFamily}`,
  };
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), DEFAULT_ZONE),
    legend: { show: false },
    cursor: {
      y: false,
      sync: { key: 'device', setSeries: false, scales: ['x', null] },
      drag: { x: true, y: false, setScale: false },
    },
    padding: [8, 12, 0, 0],
    scales: {
      x: { time: true, range: () => [edges().from / 1_000, edges().to / 1_000] },
      y: { range: (_, min, max) => roomAround(min, max) },
    },
    axes: [
      { ...axis, values: TIME_LABELS },
      { ...axis, size: (_, labels) => labelRoom(labels), values: (_, ticks) => labelsOf(ticks, panel.unit) },
    ],
    series: [{}, ...lines, ...banded.flatMap(() => [edge, edge])],
    bands: banded.map((index, place) => ({
      series: [first + place * 2, first + place * 2 + 1] as [number, number],
      fill: colour(`series-${index % COLOURS}`, 0.16),
    })),
    hooks: {
      setCursor: [(plot) => onIndex(plot.cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width: marked } = plot.select;
          if (marked < 4) return;
          const from = plot.posToVal(left, 'x') * 1_000;
          const to = plot.posToVal(left + marked, 'x') * 1_000;
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          onZoom(from, to);
        },
      ],
    },
  };
}

/** uPlot's time labels as `[step, format, then the format where the year, day or minute changes]`, with the day as MM-DD. */
const TIME_LABELS: uPlot.Axis.Values = [
  [86_400, '{MM}-{DD}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{YYYY}-{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{YYYY}-{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
];

/** Room above and below, and a flat line in the middle instead of on an edge. */
function roomAround(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1];
  const room = (max - min || Math.abs(max) || 1) * 0.08;
  return [min >= 0 && min - room < 0 ? 0 : min - room, max + room];
}

/** Pixels that the longest label takes beside the plot, digits of 11 px being some 6.5 px wide. */
function labelRoom(labels: readonly string[] | null): number {
  const longest = Math.max(8, ...(labels ?? []).map((label) => label.length));
  return Math.ceil(longest * 6.5) + 16;
}

/** The labels of an axis, all in the unit that suits its greatest. */
function labelsOf(ticks: readonly number[], unit: string): string[] {
  const greatest = Math.max(...ticks.map(Math.abs));
  const readable = inReadableUnit(greatest, unit);
  const scale = greatest === 0 ? 1 : readable.value / greatest;
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)) * scale;
  return ticks.map((tick) => `${tickText(tick * scale, step)} ${readable.unit}`);
}

/** The colours of the theme in force, computed by the browser from the tokens; a canvas knows no custom properties. */
function readColours(): (name: string, alpha?: number) => string {
  return (name, alpha = 1) => {
    const probe = document.createElement('span');
    probe.style.color = alpha === 1 ? `var(--${name})` : `rgb(from var(--${name}) r g b / ${alpha})`;
    document.body.append(probe);
    const colour = getComputedStyle(probe).color;
    probe.remove();
    return colour;
  };
}
