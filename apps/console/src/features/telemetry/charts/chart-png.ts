import type uPlot from 'uplot';
import type { Panel } from '../chart-data/chart-panels.ts';
import { COLOURS, readColours } from './chart-options.ts';

/** A displayed chart, with the series to name above it. */
export interface ShownChart {
  panel: Panel;
  plot: uPlot;
}

const MARGIN = 12;
const LINE = 18;

/** An image of the charts below each other, with their names, in the colors and resolution of the screen. */
export async function pictureOf(
  title: string,
  charts: readonly ShownChart[],
  hidden: ReadonlySet<string>,
): Promise<Blob> {
  const colour = readColours();
  const ratio = devicePixelRatio;
  const width = Math.max(...charts.map(({ plot }) => plot.width)) + 2 * MARGIN;
  const height =
    2 * MARGIN +
    LINE +
    charts.reduce((sum, { plot, panel }) => sum + plot.height + LINE * (panel.series.length + 1), 0);
  const canvas = document.createElement('canvas');
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const ctx = canvas.getContext('2d')!;
  ctx.scale(ratio, ratio);
  ctx.fillStyle = colour('surface');
  ctx.fillRect(0, 0, width, height);
  const { fontFamily } = getComputedStyle(document.body);
  ctx.textBaseline = 'middle';
  ctx.font = `600 13px ${fontFamily}`;
  ctx.fillStyle = colour('ink');
  let top = MARGIN;
  ctx.fillText(title, MARGIN, top + LINE / 2, width - 2 * MARGIN);
  top += LINE;
  ctx.font = `12px ${fontFamily}`;
  for (const { panel, plot } of charts) {
    top += LINE / 2;
    for (const { id, label, unit, place } of panel.series) {
      if (hidden.has(id)) continue;
      ctx.fillStyle = colour(`series-${place % COLOURS}`);
      ctx.fillRect(MARGIN, top + LINE / 2 - 2, 14, 4);
      ctx.fillStyle = colour('ink-2');
      ctx.fillText(unit === '' ? label : `${label} (${unit})`, MARGIN + 22, top + LINE / 2, width - 3 * MARGIN);
      top += LINE;
    }
    ctx.drawImage(plot.ctx.canvas, MARGIN, top, plot.width, plot.height);
    top += plot.height + LINE / 2;
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be created'))),
      'image/png',
    );
  });
}
