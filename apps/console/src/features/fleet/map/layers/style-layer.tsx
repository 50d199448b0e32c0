import {
  type ErrorEvent,
  GPUInitializationError,
  Map as MapLibre,
  type MapSourceDataEvent,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNames } from '../../../../shared/i18n/use-names.ts';
import css from '../map.module.css';
import { cameraOf, type MapWindow } from '../plane.ts';
import { flatStyle } from './flat-style.ts';
import { creditsOf, MapCredits } from './map-credits.tsx';
import { MapLoading } from './map-loading.tsx';

interface Props {
  /** the URL of the style */
  url: string;
  /** the operator's attribution, in addition to those of the style */
  attribution: string;
  window: MapWindow;
  /** the width of the map on the screen */
  pixels: number;
  /** called when the style cannot be shown */
  onFail(reason: 'tiles' | 'webgl' | 'code'): void;
}

/** What an event or an error says about its source. */
type OfSource = Partial<Pick<MapSourceDataEvent, 'source' | 'sourceId'>>;

// The content security policy allows workers of the console only.
setWorkerUrl(workerUrl);

/** The narrowest phone shows the whole earth. */
const LEAST_ZOOM = -2;
/** MapLibre's message when its worker cannot be loaded. Without it, no tile is ever read. */
const WORKER_FAILS = /^Worker failed to load/;
/** The time between two frames while a map is loading. */
const DRAW_MS = 500;

/** A MapLibre style below the lines and markers of a map, which also move it. */
export default function StyleLayer({ url, attribution, window, pixels, onFail }: Props) {
  const { language } = useNames();
  const host = useRef<HTMLDivElement>(null);
  const map = useRef<MapLibre | null>(null);
  const [shown, setShown] = useState(false);
  const [credits, setCredits] = useState<ReadonlySet<string>>(new Set());
  const camera = useEffectEvent(() => cameraOf(window, pixels));
  const fail = useEffectEvent(onFail);

  useEffect(() => {
    const container = host.current;
    if (!container) return;
    try {
      map.current = new MapLibre({
        ...{ container, style: url, interactive: false, attributionControl: false, minZoom: LEAST_ZOOM },
        ...camera(),
        transformStyle: (_, style) => flatStyle(style, language),
      });
    } catch (error) {
      if (!(error instanceof GPUInitializationError)) throw error;
      fail('webgl');
      return;
    }
    const current = map.current;
    // A missing tile is not an error of MapLibre. The map is shown when a tile of one of its sources is, or data of
    // another one if there are no tiles.
    const requested = { tiles: new Set<string>(), others: new Set<string>() };
    const loaded = new Set<string>();
    const request = ({ source, sourceId }: OfSource) => {
      if (source && sourceId) requested[source.type === 'geojson' ? 'others' : 'tiles'].add(sourceId);
    };
    let hasStyle = false;
    current.on('style.load', () => {
      hasStyle = true;
    });
    current.on('error', (event: ErrorEvent & OfSource) => {
      if (WORKER_FAILS.test(event.error.message)) fail('code');
      else if (!hasStyle) fail('tiles');
      request(event);
    });
    current.on('sourcedataloading', (event) => {
      if (event.tile) request(event);
    });
    current.on('sourcedata', ({ tile, sourceDataType, sourceId }) => {
      if (tile) loaded.add(sourceId);
      const credit = sourceDataType === 'metadata' ? current.getSource(sourceId)?.attribution : undefined;
      if (credit) setCredits((before) => new Set([...before, credit]));
    });
    // MapLibre draws nothing after the answer "no such tile", and is idle only after it has drawn.
    const drawing = setInterval(() => current.triggerRepaint(), DRAW_MS);
    current.once('idle', () => {
      clearInterval(drawing);
      const needed = [...(requested.tiles.size > 0 ? requested.tiles : requested.others)];
      if (needed.length > 0 && !needed.some((id) => loaded.has(id))) fail('tiles');
      else setShown(true);
    });
    return () => {
      clearInterval(drawing);
      current.remove();
      map.current = null;
    };
  }, [url, language]);

  useEffect(() => {
    map.current?.jumpTo(cameraOf(window, pixels));
  }, [window, pixels]);

  return (
    <>
      <div ref={host} className={css.mapStyle} aria-hidden="true" />
      {!shown && <MapLoading />}
      <MapCredits
        credits={[...[...credits].map(creditsOf), ...(attribution === '' ? [] : [[{ text: attribution, href: null }]])]}
      />
    </>
  );
}
