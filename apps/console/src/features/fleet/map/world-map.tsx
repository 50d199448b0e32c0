import { type Datum, fromDatum, type GeoPosition, inDatum } from '@chargehand/domain';
import { type KeyboardEvent, lazy, type PointerEvent, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { clustersOf, type Place, type PlacedPoint, windowOf } from './clusters.ts';
import { MapCredits } from './layers/map-credits.tsx';
import { MapLoading } from './layers/map-loading.tsx';
import { OutlineLayer } from './layers/outline-layer.tsx';
import { TileLayer } from './layers/tile-layer.tsx';
import css from './map.module.css';
import { PlaceMarks } from './place-marks.tsx';
import {
  type MapScale,
  type MapWindow,
  OUTLINE_SCALE,
  pointOf,
  positionAt,
  SITES_SCALE,
  scaleBar,
  TILE_SCALE,
  WHOLE,
  windowAround,
  within,
} from './plane.ts';

interface Props {
  /** WGS-84 */
  position: GeoPosition | null;
  /** places to show instead of a single position */
  places?: readonly Place[];
  /** the path of a place; null: it cannot be opened */
  pathOf?: (id: number) => string | null;
  /** enables selecting a position: called with the position of a click */
  onPick?: (position: GeoPosition) => void;
}

const RATIO = 0.5;
const STEP = 2;
/** On a map narrower than this, in pixels, the scale is above the attribution, by the height of that. */
const NARROW = 480;
const CREDITS = 22;

/** Why there is no map below the marks: no tiles, no WebGL, or no code to draw it. */
type Failure = 'tiles' | 'webgl' | 'code';

const NOTES = { tiles: 'map.tilesFail', webgl: 'map.noWebgl', code: 'map.codeFails' } as const;

const StyleLayer = lazy(() => loadChunk(() => import('./layers/style-layer.tsx')));

/**
 * A world map with a marker at a position, above tiles or a MapLibre style when the installation has them, otherwise
 * above coastlines. Buttons, arrow keys, plus and minus, dragging, and Ctrl with the mouse wheel move the window. A click
 * selects a position where enabled.
 */
export default function WorldMap({ position: stored, places, pathOf = () => null, onPick }: Props) {
  const { t } = useTranslation('places');
  const { mapTiles } = useUser().info.settings;
  const [failure, setFailure] = useState<Failure | null>(null);
  const outlineScale = places ? SITES_SCALE : OUTLINE_SCALE;
  const base = failure ? null : mapTiles;
  const datum: Datum = base?.datum ?? 'WGS-84';
  const mapScale = base ? TILE_SCALE : outlineScale;
  const position = useMemo(() => stored && inDatum(stored, datum), [stored, datum]);
  const box = useRef<HTMLDivElement>(null);
  const [pixels, setPixels] = useState(600);
  const points = useMemo(
    () =>
      (places ?? []).map((place): PlacedPoint => {
        const [east, south] = pointOf(inDatum(place, datum));
        return { place, x: east, y: south };
      }),
    [places, datum],
  );
  const wholeOf = (scale: MapScale) =>
    places ? windowOf(points, RATIO, scale) : position ? windowAround(position, scale) : WHOLE;
  const [window, setWindow] = useState<MapWindow>(() => wholeOf(mapScale));
  const drag = useRef<{ x: number; y: number; from: MapWindow; moved: boolean } | null>(null);
  const unit = window.width / pixels;
  const change = (next: MapWindow) => setWindow(within(next, RATIO, mapScale));
  const zoom = (factor: number) =>
    setWindow((before) => within({ ...before, width: before.width / factor }, RATIO, mapScale));

  function fail(reason: Failure) {
    setFailure(reason);
    setWindow(wholeOf(outlineScale));
  }

  useEffect(() => {
    const host = box.current;
    if (!host) return;
    const observer = new ResizeObserver(() => setPixels(Math.max(1, host.clientWidth)));
    observer.observe(host);
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      setWindow((before) => within({ ...before, width: before.width * 1.0015 ** event.deltaY }, RATIO, mapScale));
    };
    host.addEventListener('wheel', wheel, { passive: false });
    return () => {
      observer.disconnect();
      host.removeEventListener('wheel', wheel);
    };
  }, [mapScale]);

  // A typed position is moved into view; a clicked one is already visible.
  const shown = useRef(position);
  useEffect(() => {
    if (!position || samePlace(position, shown.current)) return;
    shown.current = position;
    const [east, south] = pointOf(position);
    setWindow((before) => {
      const inSight =
        Math.abs(east - before.x) < before.width / 2 && Math.abs(south - before.y) < (before.width * RATIO) / 2;
      return inSight ? before : windowAround(position, mapScale);
    });
  }, [position, mapScale]);

  function key(event: KeyboardEvent) {
    const by = window.width / 8;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => change({ ...window, x: window.x - by }),
      ArrowRight: () => change({ ...window, x: window.x + by }),
      ArrowUp: () => change({ ...window, y: window.y - by }),
      ArrowDown: () => change({ ...window, y: window.y + by }),
      '+': () => zoom(STEP),
      '-': () => zoom(1 / STEP),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }
  function down(event: PointerEvent<HTMLDivElement>) {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, y: event.clientY, from: window, moved: false };
  }
  function move(event: PointerEvent) {
    const { current } = drag;
    if (!current) return;
    const [dx, dy] = [event.clientX - current.x, event.clientY - current.y];
    if (Math.hypot(dx, dy) > 4) current.moved = true;
    if (current.moved) change({ ...current.from, x: current.from.x - dx * unit, y: current.from.y - dy * unit });
  }
  function up(event: PointerEvent<HTMLDivElement>) {
    const { current } = drag;
    drag.current = null;
    if (!current || current.moved || !onPick) return;
    const area = event.currentTarget.getBoundingClientRect();
    const picked = fromDatum(
      positionAt(
        window.x + (event.clientX - area.left - area.width / 2) * unit,
        window.y + (event.clientY - area.top - area.height / 2) * unit,
      ),
      datum,
    );
    const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(unit * 0.36)) + 1));
    const rounded = {
      latitude: Number(picked.latitude.toFixed(digits)),
      longitude: Number(picked.longitude.toFixed(digits)),
    };
    shown.current = inDatum(rounded, datum);
    onPick(rounded);
  }

  const left = window.x - window.width / 2;
  const top = window.y - (window.width * RATIO) / 2;
  const right = left + window.width;
  const bottom = top + window.width * RATIO;
  const scale = scaleBar(window);
  const lift = base && pixels < NARROW ? 10 + CREDITS : 10;
  const marker = position ? pointOf(position) : null;
  return (
    <div className="map">
      {base?.kind === 'style' && (
        <Suspense fallback={<MapLoading />}>
          <StyleLayer url={base.url} attribution={base.attribution} window={window} pixels={pixels} onFail={fail} />
        </Suspense>
      )}
      <div
        ref={box}
        className={css.mapSight}
        data-picks={onPick !== undefined}
        role="application"
        aria-roledescription={t('map.role')}
        aria-label={onPick ? t('map.pickLabel') : places ? t('map.sitesLabel') : t('map.label')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the map
        tabIndex={0}
        onKeyDown={key}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={() => {
          drag.current = null;
        }}
      >
        <svg viewBox={`${left} ${top} ${window.width} ${window.width * RATIO}`} aria-hidden="true">
          {base?.kind === 'tiles' && (
            <TileLayer url={base.url} window={window} ratio={RATIO} pixels={pixels} onFail={() => fail('tiles')} />
          )}
          {base === null && <OutlineLayer window={window} ratio={RATIO} pixels={pixels} />}
          <g
            className={css.mapScale}
            transform={`translate(${right - 12 * unit - scale.units} ${bottom - lift * unit})`}
          >
            {base && (
              <rect
                className={css.mapScaleGround}
                x={-6 * unit}
                y={-18 * unit}
                width={scale.units + 12 * unit}
                height={23 * unit}
              />
            )}
            <path d={`M0 ${-4 * unit}V0H${scale.units}V${-4 * unit}`} />
            <text x={scale.units / 2} y={-4 * unit} fontSize={11 * unit} textAnchor="middle">
              {t('map.km', { km: scale.km })}
            </text>
          </g>
          {marker && (
            <g className="map-marker" transform={`translate(${marker[0]} ${marker[1]}) scale(${unit})`}>
              <path d="M0 0C-3-7-9-12-9-19a9 9 0 1 1 18 0C9-12 3-7 0 0z" />
              <circle cy="-19" r="3.2" />
            </g>
          )}
        </svg>
      </div>
      {base?.kind === 'tiles' && base.attribution !== '' && (
        <MapCredits credits={[[{ text: base.attribution, href: null }]]} />
      )}
      {places && (
        <PlaceMarks
          clusters={clustersOf(points, window, RATIO, pixels)}
          window={window}
          ratio={RATIO}
          pathOf={pathOf}
          onCluster={({ members }) => setWindow(windowOf(members, RATIO, { ...mapScale, around: mapScale.narrowest }))}
        />
      )}
      {failure && (
        <p className={css.mapNote} role="status">
          {t(NOTES[failure])}
        </p>
      )}
      <div className={css.mapButtons}>
        <button type="button" aria-label={t('map.zoomIn')} title={t('map.zoomIn')} onClick={() => zoom(STEP)}>
          +
        </button>
        <button type="button" aria-label={t('map.zoomOut')} title={t('map.zoomOut')} onClick={() => zoom(1 / STEP)}>
          −
        </button>
        <button
          type="button"
          aria-label={places ? t('map.fit') : t('map.whole')}
          title={places ? t('map.fit') : t('map.whole')}
          onClick={() => setWindow(places ? wholeOf(mapScale) : WHOLE)}
          className={css.mapWhole}
        >
          <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" aria-hidden="true">
            <circle cx="7" cy="7" r="5.5" />
            <path d="M1.5 7h11M7 1.5c-3.4 3.2-3.4 7.8 0 11 3.4-3.2 3.4-7.8 0-11z" />
          </svg>
        </button>
      </div>
    </div>
  );
}

function samePlace(a: GeoPosition, b: GeoPosition | null): boolean {
  return b !== null && a.latitude === b.latitude && a.longitude === b.longitude;
}
