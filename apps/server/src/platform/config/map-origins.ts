import { tileAt } from '@chargehand/domain';
import type { Config } from './config.ts';

/** The origins from which pages of the console may load maps. */
export interface MapOrigins {
  /** of tiles, which are images */
  images: readonly string[];
  /** of a MapLibre style and everything it refers to, which scripts fetch */
  connections: readonly string[];
}

/**
 * The origins of the configured map. Those of a style are its own and the ones that the operator named, so that the
 * provider of a style cannot extend the content security policy.
 */
export function mapOrigins({ mapTiles, mapOrigins }: Pick<Config, 'mapTiles' | 'mapOrigins'>): MapOrigins {
  if (mapTiles === null) return { images: [], connections: [] };
  const { origin } = new URL(tileAt(mapTiles.url, 0, 0, 0));
  return mapTiles.kind === 'tiles'
    ? { images: [origin], connections: [] }
    : { images: [], connections: [...new Set([origin, ...mapOrigins])] };
}
