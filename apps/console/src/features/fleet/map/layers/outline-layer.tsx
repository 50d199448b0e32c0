import { geoPath } from 'd3-geo';
import { useMemo } from 'react';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import fineLand from 'world-atlas/land-50m.json';
import coarseLand from 'world-atlas/land-110m.json';
import css from '../map.module.css';
import { drawnPart, graticule, type MapWindow, projectionOf } from '../plane.ts';

/** For windows wider than this, the coarse coastlines are detailed enough. */
const COARSE = 260;

const coarse = landOf(coarseLand);
const fine = landOf(fineLand);

function landOf(topology: unknown) {
  const world = topology as Topology<{ land: GeometryCollection }>;
  return feature(world, world.objects.land);
}

/** Coastlines only: borders are disputed, and are not necessary to find a place. */
function coastsOf(part: ReturnType<typeof drawnPart>, isCoarse: boolean): string {
  return geoPath(projectionOf(part)).digits(3)(isCoarse ? coarse : fine) ?? '';
}

interface Props {
  window: MapWindow;
  ratio: number;
  /** the width of the map on the screen */
  pixels: number;
}

/** Coastlines and a graticule, for maps without tiles and without a style. */
export function OutlineLayer({ window, ratio, pixels }: Props) {
  const unit = window.width / pixels;
  const isCoarse = window.width > COARSE;
  const { x, y, reach } = drawnPart(window);
  const path = useMemo(() => coastsOf({ x, y, reach }, isCoarse), [x, y, reach, isCoarse]);
  const [left, right] = [window.x - window.width / 2, window.x + window.width / 2];
  const [top, bottom] = [window.y - (window.width * ratio) / 2, window.y + (window.width * ratio) / 2];
  const { meridians, parallels } = graticule(window, ratio, Math.max(2, Math.floor(pixels / 80)));
  return (
    <>
      <path className={css.mapLand} d={path} />
      <g className={css.mapLines}>
        {meridians.map(({ at }) => (
          <path key={at} d={`M${at} ${top}V${bottom}`} />
        ))}
        {parallels.map(({ at }) => (
          <path key={at} d={`M${left} ${at}H${right}`} />
        ))}
      </g>
      <g className={css.mapLabels} fontSize={11 * unit}>
        {meridians.map(({ at, label }) => (
          <text key={at} x={at + 3 * unit} y={top + 12 * unit}>
            {label}
          </text>
        ))}
        {parallels.map(({ at, label }) => (
          <text key={at} x={left + 4 * unit} y={at - 3 * unit}>
            {label}
          </text>
        ))}
      </g>
    </>
  );
}
