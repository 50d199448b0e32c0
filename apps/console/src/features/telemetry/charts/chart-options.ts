import { axisRange, DEFAULT_ZONE, inReadableUnit, tickText } from '@chargehand/domain';
import uPlot from 'uplot';
import type { Mark } from '../chart-data/chart-marks.ts';
import type { Panel } from '../chart-data/chart-panels.ts';
import type { Edges } from '../chart-data/chart-window.ts';

const HEIGHT = 200;
/** The number of colors in charts.css; further lines are dashed. */
export const COLOURS = 6;

/** The position of the plot area within its box, in CSS pixels. */
export interface PlotArea {
  left: number;
  width: number;
}

interface Parts {
  panel: Panel;
  width: number;
  /** the edges of the time axis */
  edges(): Edges;
  marks(): readonly Mark[];
  onIndex(index: number | null): void;
  onZoom(edges: Edges): void;
  onArea(area: PlotArea): void;
}

/**
 * The uPlot options of a panel: lines, the range between minimum and maximum behind them, gaps, an axis per unit,
 * vertical marks for events, and times in the user's time zone.
 */
export function chartOptions({ panel, width, edges, marks, onIndex, onZoom, onArea }: Parts): uPlot.Options {
  const colour = readColours();
  const scaleOf = (unit: string) => `unit${panel.units.indexOf(unit)}`;
  const bars = panel.bars === null ? undefined : uPlot.paths.bars?.({ size: [0.8, 60], align: 0 });
  const lines = panel.series.map((series): uPlot.Series => {
    const stroke = colour(`series-${series.place % COLOURS}`);
    return {
      label: series.label,
      scale: scaleOf(series.unit),
      stroke,
      width: bars ? 0 : 1.5,
      spanGaps: false,
      ...(series.place >= COLOURS ? { dash: [6, 4] } : {}),
      ...(bars ? { paths: bars, fill: colour(`series-${series.place % COLOURS}`, 0.75) } : {}),
      points: { show: !bars && series.at.length < 60, size: 4, fill: stroke },
    };
  });
  const first = lines.length + 1;
  const banded = panel.bands.flatMap((band, index) => (band ? [index] : []));
  const edge = (index: number): uPlot.Series => ({
    scale: scaleOf(panel.series[index]?.unit ?? ''),
    stroke: 'transparent',
    width: 0,
    points: { show: false },
  });
  const axis = {
    stroke: colour('ink-3'),
    ticks: { stroke: colour('line'), width: 1, size: 4 },
    font: `11px ${getComputedStyle(document.body).fontFamily}`,
  };
  const grid = { stroke: colour('line'), width: 1 };
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), DEFAULT_ZONE),
    legend: { show: false },
    cursor: {
      y: false,
      sync: { key: 'charts', setSeries: false, scales: ['x', null] },
      drag: { x: true, y: false, setScale: false },
    },
    // Padding for a centered date with year below the last tick, where the plot has no axis next to it.
    padding: [8, panel.units.length > 1 ? 12 : 34, 0, 0],
    scales: {
      x: { time: true, range: () => [edges().from / 1_000, edges().to / 1_000] },
      ...Object.fromEntries(
        panel.units.map((unit) => [
          scaleOf(unit),
          {
            range: (_: uPlot, min: number | null, max: number | null) =>
              axisRange(min, max, { unit, bars: panel.bars !== null, counter: onlyCounters(panel, unit) }),
          },
        ]),
      ),
    },
    axes: [
      { ...axis, grid, values: TIME_LABELS },
      ...panel.units.map(
        (unit, index): uPlot.Axis => ({
          ...axis,
          scale: scaleOf(unit),
          side: index === 0 ? 3 : 1,
          grid: index === 0 ? grid : { show: false },
          size: (_, labels) => labelRoom(labels),
          values: (_, ticks) => labelsOf(ticks, unit),
        }),
      ),
    ],
    series: [{}, ...lines, ...banded.flatMap((index) => [edge(index), edge(index)])],
    bands: banded.map((index, place) => ({
      series: [first + place * 2, first + place * 2 + 1] as [number, number],
      fill: colour(`series-${(panel.series[index]?.place ?? 0) % COLOURS}`, 0.16),
    })),
    hooks: {
      setCursor: [(plot) => onIndex(plot.cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width: across } = plot.select;
          if (across < 4) return;
          const from = plot.posToVal(left, 'x') * 1_000;
          const to = plot.posToVal(left + across, 'x') * 1_000;
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          onZoom({ from, to });
        },
      ],
      drawClear: [(plot) => drawMarks(plot, marks(), edges(), colour)],
      draw: [(plot) => onArea({ left: plot.bbox.left / uPlot.pxRatio, width: plot.bbox.width / uPlot.pxRatio })],
    },
  };
}

/** Draws events behind the lines: an alarm with its duration, a command or a restart as a point in time. */
function drawMarks(
  plot: uPlot,
  marks: readonly Mark[],
  edges: Edges,
  colour: (name: string, alpha?: number) => string,
) {
  const { ctx, bbox } = plot;
  const place = (at: number) =>
    bbox.left + (bbox.width * (Math.min(edges.to, Math.max(edges.from, at)) - edges.from)) / (edges.to - edges.from);
  for (const mark of marks) {
    const alarm = 'alarm' in mark;
    const end = mark.to ?? (alarm ? edges.to : mark.at);
    if (mark.at > edges.to || end < edges.from) continue;
    const left = place(mark.at);
    if (alarm) {
      ctx.fillStyle = colour('faulted', 0.07);
      ctx.fillRect(left, bbox.top, Math.max(1, place(end) - left), bbox.height);
    }
    if (mark.at < edges.from) continue;
    ctx.fillStyle = 'restart' in mark ? colour('ink-2', 0.5) : colour(alarm ? 'faulted' : 'working', 0.4);
    ctx.fillRect(Math.round(left), bbox.top, Math.max(1, uPlot.pxRatio), bbox.height);
  }
}

/**
 * uPlot's time labels as `[step, format, then the format where the year, day or minute changes]`, with the day as
 * MM-DD.
 */
const TIME_LABELS: uPlot.Axis.Values = [
  [31_536_000, '{YYYY}', null, null, null, null, null, null, 1],
  [2_419_200, '{YYYY}-{MM}', null, null, null, null, null, null, 1],
  [86_400, '{MM}-{DD}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{YYYY}-{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{YYYY}-{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
];

function onlyCounters({ series }: Panel, unit: string): boolean {
  return series.every((one) => one.unit !== unit || one.counter);
}

/** The width of the longest label next to the plot in pixels; digits of 11 px are about 6.5 px wide. */
function labelRoom(labels: readonly string[] | null): number {
  const longest = Math.max(8, ...(labels ?? []).map((label) => label.length));
  return Math.ceil(longest * 6.5) + 16;
}

/** The labels of an axis, all in the unit that suits the largest value. */
function labelsOf(ticks: readonly number[], unit: string): string[] {
  const greatest = Math.max(...ticks.map(Math.abs));
  const readable = inReadableUnit(greatest, unit);
  const scale = greatest === 0 ? 1 : readable.value / greatest;
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)) * scale;
  return ticks.map((tick) => `${tickText(tick * scale, step)} ${readable.unit}`);
}

/**
 * The colors of the current theme, computed by the browser from the tokens, because a canvas does not support custom
 * properties.
 */
export function readColours(): (name: string, alpha?: number) => string {
  const known = new Map<string, string>();
  return (name, alpha = 1) => {
    const value = alpha === 1 ? `var(--${name})` : `rgb(from var(--${name}) r g b / ${alpha})`;
    const found = known.get(value);
    if (found !== undefined) return found;
    const probe = document.createElement('span');
    probe.style.color = value;
    document.body.append(probe);
    const colour = getComputedStyle(probe).color;
    probe.remove();
    known.set(value, colour);
    return colour;
  };
}
