/** A point on the earth in degrees (WGS-84): north and east are positive. */
export interface GeoPosition {
  latitude: number;
  longitude: number;
}

/** The stored number of decimals: a millionth of a degree is at most 11 cm. */
const POSITION_DECIMALS = 6;

/** True when a number is a latitude (WGS-84): -90 to 90 degrees. */
export function isLatitude(degrees: number): boolean {
  return Number.isFinite(degrees) && degrees >= -90 && degrees <= 90;
}

/** True when a number is a longitude (WGS-84): -180 to 180 degrees. */
export function isLongitude(degrees: number): boolean {
  return Number.isFinite(degrees) && degrees >= -180 && degrees <= 180;
}

/** A stored coordinate: rounded to the significant decimals, and never minus zero. */
export function roundedDegrees(degrees: number): number {
  return Number(degrees.toFixed(POSITION_DECIMALS)) + 0;
}

/** A position as shown and copied, latitude first (ISO 6709 order): `22.302711, 114.177216`. */
export function formatPosition({ latitude, longitude }: GeoPosition): string {
  return `${roundedDegrees(latitude)}, ${roundedDegrees(longitude)}`;
}

/** What a map is drawn from: XYZ tiles, or a MapLibre style. */
export const MAP_KINDS = ['tiles', 'style'] as const;
export type MapKind = (typeof MAP_KINDS)[number];

/** The URL of a tile of a map, from a template with `{z}`, `{x}` and `{y}`. */
export function tileAt(template: string, zoom: number, x: number, y: number): string {
  return template.replace('{z}', String(zoom)).replace('{x}', String(x)).replace('{y}', String(y));
}

/**
 * A WGS-84 position as a link to a public map: Amap for readers of Chinese, which converts it to its own datum,
 * otherwise OpenStreetMap.
 */
export function mapLink(position: GeoPosition, name: string, language: 'en' | 'zh'): string {
  const latitude = roundedDegrees(position.latitude);
  const longitude = roundedDegrees(position.longitude);
  if (language === 'en') {
    return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  }
  const query = new URLSearchParams({ position: `${longitude},${latitude}`, name, coordinate: 'wgs84' });
  return `https://uri.amap.com/marker?${query}`;
}
