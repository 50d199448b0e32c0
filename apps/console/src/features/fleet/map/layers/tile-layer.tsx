import { tileAt } from '@chargehand/domain';
import { useRef } from 'react';
import css from '../map.module.css';
import { type MapWindow, tilesOf } from '../plane.ts';

interface Props {
  /** the URL template */
  url: string;
  window: MapWindow;
  ratio: number;
  /** the width of the map on the screen */
  pixels: number;
  /** called when the tiles cannot be loaded */
  onFail(): void;
}

/** So many failed tiles, and none that was loaded, mean that there is no map. A single one may be missing. */
const MOST_FAILED = 2;

/** The tiles of a map below its lines and markers. */
export function TileLayer({ url, window, ratio, pixels, onFail }: Props) {
  const counts = useRef({ loaded: 0, failed: 0 });
  return (
    <g>
      {tilesOf(window, ratio, pixels).map(({ zoom, column, row, x, y, size }) => (
        <image
          key={`${zoom}/${column}/${row}`}
          href={tileAt(url, zoom, column, row)}
          x={x}
          y={y}
          width={size}
          height={size}
          preserveAspectRatio="none"
          onLoad={() => {
            counts.current.loaded += 1;
          }}
          onError={() => {
            counts.current.failed += 1;
            if (counts.current.loaded === 0 && counts.current.failed >= MOST_FAILED) onFail();
          }}
        />
      ))}
      <rect
        className={css.mapDim}
        x={window.x - window.width / 2}
        y={window.y - (window.width * ratio) / 2}
        width={window.width}
        height={window.width * ratio}
      />
    </g>
  );
}
