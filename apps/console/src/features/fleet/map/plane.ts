import type { GeoPosition } from '@chargehand/domain';
import { geoMercator } from 'd3-geo';

/** The width and height of the plane on which the map is drawn once. A window shows a part of it. */
export const PLANE = 1_000;
/** The Mercator projection excludes the poles: nothing is drawn beyond this latitude. */
const LAST_LATITUDE = 85;
/**
 * The coastline data has a resolution of about a kilometer: a narrower window (in units of the plane) would not show
 * more.
 */
const NARROWEST = 0.4;

const projection = geoMercator()
  .scale(PLANE / (2 * Math.PI))
  .translate([PLANE / 2, PLANE / 2]);

/**
 * The part of the plane that is rendered for a window: larger than the window, and the same while it moves a little.
 */
export function drawnPart({ x, y, width }: MapWindow): { x: number; y: number; reach: number } {
  const reach = 2 ** Math.ceil(Math.log2(width));
  const cell = reach / 2;
  return { x: Math.round(x / cell) * cell, y: Math.round(y / cell) * cell, reach };
}

/** The same projection, clipped to a part of the plane. */
export function projectionOf({ x, y, reach }: { x: number; y: number; reach: number }) {
  return geoMercator()
    .scale(projection.scale())
    .translate(projection.translate())
    .clipExtent([
      [x - reach, y - reach],
      [x + reach, y + reach],
    ]);
}

/** A part of the plane, by its center and width. */
export interface MapWindow {
  x: number;
  y: number;
  width: number;
}

export const WHOLE: MapWindow = { x: PLANE / 2, y: PLANE / 2.35, width: PLANE };

/** The point of a position on the plane. */
export function pointOf({ latitude, longitude }: GeoPosition): [x: number, y: number] {
  const within = Math.min(LAST_LATITUDE, Math.max(-LAST_LATITUDE, latitude));
  return projection([longitude, within]) ?? [PLANE / 2, PLANE / 2];
}

/** The position of a point of the plane. */
export function positionAt(x: number, y: number): GeoPosition {
  const [longitude, latitude] = projection.invert?.([
    Math.min(PLANE, Math.max(0, x)),
    Math.min(PLANE, Math.max(0, y)),
  ]) ?? [0, 0];
  return { latitude, longitude };
}

/** The scale of a kind of map: the width around a single position, and the narrowest useful one. */
export interface MapScale {
  around: number;
  narrowest: number;
}

/** Large enough to recognize the coast and the region of a position. */
export const OUTLINE_SCALE: MapScale = { around: 30, narrowest: NARROWEST };
/** As above, but narrow enough to separate neighboring sites, although coasts have no more detail. */
export const SITES_SCALE: MapScale = { around: 30, narrowest: 0.02 };
/** A district of about 4 km, down to a street. */
export const TILE_SCALE: MapScale = { around: 0.1, narrowest: 0.005 };

/** A window around a position. */
export function windowAround(position: GeoPosition, scale = OUTLINE_SCALE): MapWindow {
  const [x, y] = pointOf(position);
  return within({ x, y, width: scale.around }, 0.5, scale);
}

/** A window limited to the plane and to useful widths. `ratio` is height divided by width. */
export function within({ x, y, width }: MapWindow, ratio = 0.5, scale = OUTLINE_SCALE): MapWindow {
  const wide = Math.min(PLANE, Math.max(scale.narrowest, width));
  const halfHeight = (wide * ratio) / 2;
  return {
    width: wide,
    x: Math.min(PLANE - wide / 2, Math.max(wide / 2, x)),
    y: Math.min(PLANE - halfHeight, Math.max(halfHeight, y)),
  };
}

/** The width of the earth at zoom 0 of MapLibre. */
const STYLE_PIXELS = 512;

/** The center and zoom with which MapLibre shows a window. */
export function cameraOf({ x, y, width }: MapWindow, pixels: number): { center: [number, number]; zoom: number } {
  const { latitude, longitude } = positionAt(x, y);
  return { center: [longitude, latitude], zoom: Math.log2((pixels * PLANE) / (STYLE_PIXELS * width)) };
}

/** The size of a tile in pixels, and the deepest zoom that tile servers have in general. */
const TILE_PIXELS = 256;
const DEEPEST_ZOOM = 19;

/** A tile of a map: its zoom and place in the XYZ scheme, and its place on the plane. */
export interface Tile {
  zoom: number;
  column: number;
  row: number;
  x: number;
  y: number;
  size: number;
}

/** The tiles that cover a window, in the zoom whose pixels are closest to those of the screen. */
export function tilesOf({ x, y, width }: MapWindow, ratio: number, pixels: number): Tile[] {
  const zoom = Math.min(DEEPEST_ZOOM, Math.max(0, Math.round(Math.log2((pixels * PLANE) / (TILE_PIXELS * width)))));
  const count = 2 ** zoom;
  const size = PLANE / count;
  const span = (center: number, length: number) => ({
    first: Math.max(0, Math.floor((center - length / 2) / size)),
    last: Math.min(count - 1, Math.floor((center + length / 2) / size)),
  });
  const columns = span(x, width);
  const rows = span(y, width * ratio);
  const tiles: Tile[] = [];
  for (let row = rows.first; row <= rows.last; row += 1) {
    for (let column = columns.first; column <= columns.last; column += 1) {
      tiles.push({ zoom, column, row, x: column * size, y: row * size, size });
    }
  }
  return tiles;
}

const DEGREES = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02];

/** The lines of the graticule that cross a window: about `lines` meridians, and parallels at the same distance. */
export function graticule(window: MapWindow, ratio: number, lines = 6): { meridians: Line[]; parallels: Line[] } {
  const perUnit = 360 / PLANE;
  const wanted = (window.width * perUnit) / lines;
  const step = DEGREES.findLast((degrees) => degrees >= wanted) ?? 30;
  const west = positionAt(window.x - window.width / 2, window.y).longitude;
  const east = positionAt(window.x + window.width / 2, window.y).longitude;
  const north = positionAt(window.x, window.y - (window.width * ratio) / 2).latitude;
  const south = positionAt(window.x, window.y + (window.width * ratio) / 2).latitude;
  return {
    meridians: multiples(step, west, east).map((longitude) => ({
      at: pointOf({ latitude: 0, longitude })[0],
      label: degreesOf(longitude, 'E', 'W'),
    })),
    parallels: multiples(step, south, north).map((latitude) => ({
      at: pointOf({ latitude, longitude: 0 })[1],
      label: degreesOf(latitude, 'N', 'S'),
    })),
  };
}

export interface Line {
  at: number;
  label: string;
}

function multiples(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    Number(((first + index) * step).toFixed(2)),
  );
}

function degreesOf(degrees: number, positive: string, negative: string): string {
  if (degrees === 0) return '0°';
  return `${Math.abs(degrees)}° ${degrees > 0 ? positive : negative}`;
}

/** The circumference of the earth along the equator. */
const EARTH_KM = 40_075;

/** A round length of at most a fifth of a window: in kilometers, and in units of the plane. */
export function scaleBar(window: MapWindow): { km: number; units: number } {
  const { latitude } = positionAt(window.x, window.y);
  const kmPerUnit = (EARTH_KM / PLANE) * Math.cos((latitude * Math.PI) / 180);
  const most = (window.width / 5) * kmPerUnit;
  const magnitude = 10 ** Math.floor(Math.log10(most));
  const km = [5, 2, 1].map((factor) => factor * magnitude).find((length) => length <= most) ?? magnitude;
  return { km, units: km / kmPerUnit };
}
