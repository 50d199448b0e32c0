import { geoPath } from 'd3-geo';
import { useEffect, useId, useMemo, useState } from 'react';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import coarseWorld from 'world-atlas/countries-110m.json';
import { useLocale } from '../../../../shared/i18n/use-locale.ts';
import { loadChunk } from '../../../../shared/lib/browser/load-chunk.ts';
import css from '../map.module.css';
import { drawnPart, graticule, type MapWindow, projectionOf } from '../plane.ts';
import { citiesIn, DOT_GAP } from './city-labels.ts';
import { COAST_CELL, COAST_UNIT } from './coast-cells.ts';
import { lakeRings } from './lakes.ts';
import { type Coasts, useCoasts } from './use-coasts.ts';

/** For windows wider than this, the coarse coastlines are detailed enough. */
const COARSE = 260;

const coarse = worldOf(coarseWorld);
let fine: World | null = null;
const LAKES = { type: 'MultiLineString' as const, coordinates: lakeRings() };

type World = ReturnType<typeof worldOf>;

/** Land, and the borders between two countries as they are in fact (Natural Earth, public domain). */
function worldOf(topology: unknown) {
  const world = topology as Topology<{ land: GeometryCollection; countries: GeometryCollection }>;
  const { land, countries } = world.objects;
  return { land: feature(world, land), borders: mesh(world, countries, (one, other) => one !== other) };
}

/** The world with as much detail as a map needs. The finer one is loaded when a map needs it first. */
function useWorld(isCoarse: boolean): World {
  const [, setLoaded] = useState(fine);
  useEffect(() => {
    if (isCoarse || fine) return;
    // Without it, the map stays as it is.
    void loadChunk(() => import('world-atlas/countries-50m.json')).then(
      ({ default: data }) => {
        fine ??= worldOf(data);
        setLoaded(fine);
      },
      () => undefined,
    );
  }, [isCoarse]);
  return isCoarse ? coarse : (fine ?? coarse);
}

interface Props {
  window: MapWindow;
  ratio: number;
  /** the width of the map on the screen */
  pixels: number;
}

/** Coastlines, borders, cities and a graticule, for maps without tiles and without a style. */
export function OutlineLayer({ window, ratio, pixels }: Props) {
  const unit = window.width / pixels;
  const { coasts, expected } = useCoasts(window, ratio);
  const isCoarse = window.width > COARSE || expected;
  const { x, y, reach } = drawnPart(window);
  const world = useWorld(isCoarse);
  const locale = useLocale();
  const paths = useMemo(() => {
    const path = geoPath(projectionOf({ x, y, reach })).digits(3);
    return { land: path(world.land) ?? '', borders: path(world.borders) ?? '' };
  }, [x, y, reach, world]);
  const lakes = useMemo(() => geoPath(projectionOf({ x, y, reach })).digits(3)(LAKES) ?? '', [x, y, reach]);
  const cities = useMemo(() => citiesIn(window, ratio, pixels, locale), [window, ratio, pixels, locale]);
  const [left, right] = [window.x - window.width / 2, window.x + window.width / 2];
  const [top, bottom] = [window.y - (window.width * ratio) / 2, window.y + (window.width * ratio) / 2];
  const { meridians, parallels } = graticule(window, ratio, Math.max(2, Math.floor(pixels / 80)));
  return (
    <>
      {coasts ? (
        coasts.map((one) => <CoastCell key={one.cell} {...one} />)
      ) : (
        <>
          <path className={css.mapLand} d={paths.land} />
          <path className={css.mapBorders} d={paths.borders} />
        </>
      )}
      <path className={css.mapLakes} d={lakes} />
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
      <g className={css.mapCities} fontSize={11 * unit}>
        {cities.map((city) => (
          <g key={city.name}>
            <circle cx={city.x} cy={city.y} r={2 * unit} />
            <text x={city.x + DOT_GAP * unit} y={city.y + 4 * unit}>
              {city.name}
            </text>
          </g>
        ))}
      </g>
    </>
  );
}

/** The detailed coasts of a cell. What is drawn beyond it belongs to its neighbors. */
function CoastCell({ cell, land, borders }: Coasts) {
  const id = useId();
  const [column = 0, row = 0] = cell.split('-').map(Number);
  const size = COAST_CELL / COAST_UNIT;
  return (
    <g transform={`scale(${COAST_UNIT})`} clipPath={`url(#${id})`}>
      <clipPath id={id}>
        <rect x={column * size - 1} y={row * size - 1} width={size + 2} height={size + 2} />
      </clipPath>
      <path className={css.mapLand} d={land} />
      <path className={css.mapBorders} d={borders} />
    </g>
  );
}
