import type { GeoPosition, SiteState } from '@chargehand/domain';
import { type MapScale, type MapWindow, PLANE, WHOLE, within } from './plane.ts';

/** A place on a map. */
export interface Place extends GeoPosition {
  id: number;
  name: string;
  state: SiteState;
}

/** A place and its point on the plane. */
export interface PlacedPoint {
  place: Place;
  x: number;
  y: number;
}

/** Places whose markers would overlap, and their center. */
export interface Cluster {
  key: string;
  x: number;
  y: number;
  members: readonly PlacedPoint[];
}

/** Markers closer than this, in pixels, are one cluster. */
const CELL_PIXELS = 48;

/**
 * The clusters in a window. The cells of their grid are fixed to the plane and double with each zoom, so that clusters
 * stay the same while the map moves.
 */
export function clustersOf(
  points: readonly PlacedPoint[],
  window: MapWindow,
  ratio: number,
  pixels: number,
): Cluster[] {
  const cell = 2 ** Math.round(Math.log2((CELL_PIXELS * window.width) / pixels));
  const [reachX, reachY] = [window.width / 2 + cell, (window.width * ratio) / 2 + cell];
  const inSight = points.filter(({ x, y }) => Math.abs(x - window.x) < reachX && Math.abs(y - window.y) < reachY);
  const cells = Map.groupBy(inSight, ({ x, y }) => `${Math.floor(x / cell)} ${Math.floor(y / cell)}`);
  return [...cells].map(([key, members]) => ({
    key: `${cell} ${key}`,
    x: members.reduce((sum, { x }) => sum + x, 0) / members.length,
    y: members.reduce((sum, { y }) => sum + y, 0) / members.length,
    members,
  }));
}

/** How much larger than its points a window is. */
const ROOM = 1.3;
/**
 * The narrowest first window of several places, in units of the plane: 40 km at the equator, so that the sites of two
 * neighboring cities, and those of one city, do not begin as one cluster.
 */
const CITY = 1;

/** The window that shows all points; the whole world when there are none. */
export function windowOf(points: readonly { x: number; y: number }[], ratio: number, scale: MapScale): MapWindow {
  if (points.length === 0) return WHOLE;
  const [west, east] = edges(points.map(({ x }) => x));
  const [north, south] = edges(points.map(({ y }) => y));
  const width = Math.max(east - west, (south - north) / ratio) * ROOM;
  const center = { x: (west + east) / 2, y: (north + south) / 2 };
  const least = width === 0 ? scale.around : Math.min(scale.around, CITY);
  return within({ ...center, width: Math.max(width, least) }, ratio, scale);
}

function edges(values: readonly number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [PLANE, 0],
  );
}
