import type { Figures } from './figures.ts';

const WIDTH = 720;
const MARGIN = 16;
const LINE = 22;
/** The height of upright bars. */
const PLOT = 200;
/** The space for names of lying bars, and for the axis of upright ones. */
const NAMES = 240;
const AXIS = 72;
const VALUES = 72;

type Context = CanvasRenderingContext2D;
type Colour = (token: string) => string;

/** A picture of figures as bars, in the colors and resolution of the screen. */
export async function pictureOfFigures(figures: Figures, title: string): Promise<Blob> {
  const { rows, series, bars } = figures;
  const legend = series.length > 1 ? legendLines(series) : [];
  const top = MARGIN + LINE + legend.length * LINE + 8;
  const body = bars === 'lying' ? rows.length * LINE : PLOT + LINE + 8;
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH * devicePixelRatio;
  canvas.height = (top + body + MARGIN) * devicePixelRatio;
  const ctx = canvas.getContext('2d')!;
  ctx.scale(devicePixelRatio, devicePixelRatio);
  const colour = readColour;
  const { fontFamily } = getComputedStyle(document.body);
  ctx.fillStyle = colour('surface');
  ctx.fillRect(0, 0, WIDTH, canvas.height);
  ctx.textBaseline = 'middle';
  ctx.font = `600 14px ${fontFamily}`;
  ctx.fillStyle = colour('ink');
  ctx.fillText(title, MARGIN, MARGIN + LINE / 2, WIDTH - 2 * MARGIN);
  ctx.font = `12px ${fontFamily}`;
  legend.forEach((line, row) => {
    line.forEach(({ name, tone }, column) => {
      const x = MARGIN + column * LEGEND_WIDTH;
      const y = MARGIN + LINE * (row + 1) + LINE / 2;
      ctx.fillStyle = colour(tone);
      ctx.fillRect(x, y - 5, 10, 10);
      ctx.fillStyle = colour('ink-2');
      ctx.fillText(name, x + 16, y, LEGEND_WIDTH - 24);
    });
  });
  if (bars === 'lying') drawLying(ctx, figures, colour, top);
  else drawUpright(ctx, figures, colour, top);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be created'))),
      'image/png',
    );
  });
}

const LEGEND_WIDTH = (WIDTH - 2 * MARGIN) / 4;

function legendLines(series: Figures['series']): Figures['series'][] {
  const lines = Math.ceil(series.length / 4);
  return Array.from({ length: lines }, (_, line) => series.slice(4 * line, 4 * line + 4));
}

function drawLying(ctx: Context, { rows, series, format = String }: Figures, colour: Colour, top: number): void {
  const most = Math.max(1, ...rows.map(({ values }) => values[0] ?? 0));
  const space = WIDTH - MARGIN - NAMES - VALUES;
  rows.forEach(({ name, values: [value = 0], tone }, place) => {
    const y = top + place * LINE + LINE / 2;
    ctx.fillStyle = colour('ink');
    ctx.fillText(name, MARGIN, y, NAMES - MARGIN - 8);
    const length = (value / most) * space;
    ctx.fillStyle = colour(tone ?? series[0]?.tone ?? 'ink-3');
    ctx.fillRect(NAMES, y - 7, length, 14);
    ctx.fillStyle = colour('ink');
    ctx.fillText(format(value), NAMES + length + 8, y, VALUES);
  });
}

function drawUpright(ctx: Context, figures: Figures, colour: Colour, top: number): void {
  const { rows, series, bars, format = String } = figures;
  const sizeOf = ({ values }: Figures['rows'][number]) =>
    bars === 'stacked' ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
  const most = Math.max(...rows.map(sizeOf)) || 1;
  const step = (WIDTH - MARGIN - AXIS) / Math.max(1, rows.length);
  const every = Math.ceil(rows.length / 8);
  ctx.textAlign = 'right';
  for (const part of [0, 0.5, 1]) {
    const y = top + PLOT * (1 - part);
    ctx.fillStyle = colour('line');
    ctx.fillRect(AXIS, y, WIDTH - MARGIN - AXIS, 1);
    ctx.fillStyle = colour('ink-3');
    ctx.fillText(format(most * part), AXIS - 8, y, AXIS - MARGIN);
  }
  ctx.textAlign = 'center';
  rows.forEach(({ name, values }, place) => {
    const x = AXIS + place * step;
    let base = top + PLOT;
    values.forEach((value, part) => {
      const height = (value / most) * PLOT;
      ctx.fillStyle = colour(series[part]?.tone ?? 'ink-3');
      if (bars === 'stacked') {
        base -= height;
        ctx.fillRect(x + step * 0.1, base, step * 0.8, height);
      } else {
        const width = (step * 0.8) / values.length;
        ctx.fillRect(x + step * 0.1 + part * width, base - height, width, height);
      }
    });
    if ((rows.length - 1 - place) % every === 0) {
      ctx.fillStyle = colour('ink-3');
      ctx.fillText(name, x + step / 2, top + PLOT + LINE / 2 + 4, step * every - 4);
    }
  });
  ctx.textAlign = 'start';
}

/** The present color of a token. A canvas cannot read custom properties. */
function readColour(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
