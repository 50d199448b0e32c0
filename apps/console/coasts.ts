import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync, constants } from 'node:zlib';
import { type GeoContext, geoIdentity, geoMercator, geoPath } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Plugin } from 'vite';
import { COAST_CELL, COAST_UNIT, cellFile } from './src/features/fleet/map/layers/coast-cells.ts';
import { PLANE } from './src/features/fleet/map/plane.ts';

type Position = [number, number];
type Box = [left: number, top: number, right: number, bottom: number];
/** A polygon with its holes, or a line. */
type Part = { lines: Position[][]; closed: boolean; box: Box };

/** Land is cut off this far beyond its cell, where the line along the cut is not visible. */
const BEYOND = 2;
/** Much faster than the best quality, and almost as small. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
/** Changes when the files have another content. */
const EDITION = 1;

/**
 * The coasts and borders of Natural Earth in 1:10m (public domain), for maps of a region: a file for each cell of the
 * plane, which a map loads when it shows that cell. `virtual:coasts` has the cells that contain land. A server for
 * development and tests has none, so that maps show the coarser coasts.
 */
export function coastFiles(): Plugin {
  const id = '\0virtual:coasts';
  let cells: string[] = [];
  return {
    name: 'chargehand-coasts',
    resolveId: (source) => (source === 'virtual:coasts' ? id : null),
    buildStart() {
      if (this.environment.mode !== 'build') return;
      const { land, borders } = planeOf();
      cells = [];
      for (let column = 0; column < PLANE / COAST_CELL; column += 1) {
        const strip = { land: strips(land, column), borders: strips(borders, column) };
        for (let row = 0; row < PLANE / COAST_CELL; row += 1) {
          const content = { land: drawn(strip.land, column, row), borders: drawn(strip.borders, column, row) };
          if (content.land === '') continue;
          cells.push(`${column}-${row}`);
          const fileName = cellFile(EDITION, `${column}-${row}`);
          const source = JSON.stringify(content);
          this.emitFile({ type: 'asset', fileName, source });
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(source, FAST) });
        }
      }
    },
    load: (loaded) =>
      loaded === id
        ? `export const edition = ${EDITION}; export const cells = new Set(${JSON.stringify(cells)});`
        : null,
  };
}

/** Polygons of land, and the borders between two countries, on the plane of the map. */
function planeOf(): { land: Part[]; borders: Part[] } {
  const file = createRequire(import.meta.url).resolve('world-atlas/countries-10m.json');
  const world = JSON.parse(readFileSync(file, 'utf8')) as Topology<{
    land: GeometryCollection;
    countries: GeometryCollection;
  }>;
  const project = geoMercator()
    .scale(PLANE / (2 * Math.PI))
    .translate([PLANE / 2, PLANE / 2]);
  const placed = (line: number[][]): Position[] =>
    line.map(([longitude = 0, latitude = 0]) => project([longitude, Math.min(85, Math.max(-85, latitude))]) ?? [0, 0]);
  const land = feature(world, world.objects.land).features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon' ? geometry.coordinates : geometry.type === 'Polygon' ? [geometry.coordinates] : [],
  );
  const borders = mesh(world, world.objects.countries, (one, other) => one !== other).coordinates;
  return {
    land: land.map((rings) => partOf(rings.map(placed), true)),
    borders: borders.map((line) => partOf([placed(line)], false)),
  };
}

function partOf(lines: Position[][], closed: boolean): Part {
  const box: Box = [PLANE, PLANE, 0, 0];
  for (const [x, y] of lines.flat()) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return { lines, closed, box };
}

/** The edges of a part of the plane, with what is drawn beyond it. */
function edges(place: number): [start: number, end: number] {
  return [place * COAST_CELL - BEYOND, (place + 1) * COAST_CELL + BEYOND];
}

/** The parts in a column of cells, cut off at its edges, so that each cell reads fewer points. */
function strips(parts: readonly Part[], column: number): Part[] {
  const [left, right] = edges(column);
  return parts.flatMap((part) => {
    if (part.box[0] > right || part.box[2] < left) return [];
    if (part.box[0] >= left && part.box[2] <= right) return [part];
    const pen = collectingPen();
    draw(part, [left, -PLANE, right, 2 * PLANE], pen);
    return pen.lines().length === 0 ? [] : [partOf(pen.lines(), part.closed)];
  });
}

/** What a cell shows of some parts, as a path in `COAST_UNIT`s of the plane with relative steps. */
function drawn(parts: readonly Part[], column: number, row: number): string {
  const [[left, right], [top, bottom]] = [edges(column), edges(row)];
  const pen = relativePen();
  for (const part of parts) {
    const { box } = part;
    if (box[0] > right || box[2] < left || box[1] > bottom || box[3] < top) continue;
    draw(part, [left, top, right, bottom], pen);
  }
  return pen.path();
}

function draw({ lines, closed }: Part, [left, top, right, bottom]: Box, pen: GeoContext): void {
  const clip = geoIdentity().clipExtent([
    [left, top],
    [right, bottom],
  ]);
  geoPath(
    clip,
    pen,
  )(closed ? { type: 'Polygon', coordinates: lines } : { type: 'MultiLineString', coordinates: lines });
}

/** Collects lines; those of polygons end where they begin. */
function collectingPen() {
  const lines: Position[][] = [];
  return {
    lines: () => lines,
    beginPath: () => undefined,
    arc: () => undefined,
    moveTo: (x: number, y: number) => void lines.push([[x, y]]),
    lineTo: (x: number, y: number) => void lines.at(-1)?.push([x, y]),
    closePath() {
      const line = lines.at(-1);
      if (line?.[0]) line.push(line[0]);
    },
  };
}

/** Writes a path with whole numbers; a step shorter than one unit is left out. */
function relativePen() {
  let path = '';
  let at: Position = [0, 0];
  const rounded = (x: number, y: number): Position => [Math.round(x / COAST_UNIT), Math.round(y / COAST_UNIT)];
  return {
    path: () => path,
    beginPath: () => undefined,
    arc: () => undefined,
    moveTo(x: number, y: number) {
      at = rounded(x, y);
      path += `M${at.join(' ')}l`;
    },
    lineTo(x: number, y: number) {
      const next = rounded(x, y);
      const step = [next[0] - at[0], next[1] - at[1]];
      at = next;
      if (step[0] !== 0 || step[1] !== 0) path += `${path.endsWith('l') ? '' : ' '}${step.join(' ')}`;
    },
    closePath() {
      path += 'z';
    },
  };
}
