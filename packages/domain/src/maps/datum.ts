import type { GeoPosition } from './geo.ts';

/**
 * The datums of coordinates. Stored positions are WGS-84, like those of GPS. Maps of mainland China use GCJ-02, which
 * is shifted by up to 700 m.
 */
export const DATUMS = ['WGS-84', 'GCJ-02'] as const;
export type Datum = (typeof DATUMS)[number];

/** The ellipsoid of GCJ-02 (Krasovsky 1940): semi-major axis in meters and squared eccentricity. */
const AXIS = 6_378_245;
const ECCENTRICITY = 0.006693421622965943;

/** Where GCJ-02 differs from WGS-84: the rectangle that all public implementations use. */
const CHINA = { south: 0.8293, north: 55.8271, west: 72.004, east: 137.8347 };

/** A WGS-84 position in another datum. */
export function inDatum(position: GeoPosition, datum: Datum): GeoPosition {
  if (datum === 'WGS-84' || !isShifted(position)) return position;
  const { latitude, longitude } = shiftAt(position);
  return { latitude: position.latitude + latitude, longitude: position.longitude + longitude };
}

/** The WGS-84 position of a position in another datum, to less than a centimeter. */
export function fromDatum(position: GeoPosition, datum: Datum): GeoPosition {
  if (datum === 'WGS-84' || !isShifted(position)) return position;
  // The shift changes slowly, so that a few steps from the shifted position find the original one.
  let found = position;
  for (let step = 0; step < 4; step += 1) {
    const shifted = inDatum(found, datum);
    found = {
      latitude: found.latitude + position.latitude - shifted.latitude,
      longitude: found.longitude + position.longitude - shifted.longitude,
    };
  }
  return found;
}

function isShifted({ latitude, longitude }: GeoPosition): boolean {
  const { south, north, west, east } = CHINA;
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east;
}

/** The difference between GCJ-02 and WGS-84, in degrees. */
function shiftAt(position: GeoPosition): GeoPosition {
  const x = position.longitude - 105;
  const y = position.latitude - 35;
  const north = -100 + 2 * x + 3 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * Math.sqrt(Math.abs(x));
  const east = 300 + x + 2 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * Math.sqrt(Math.abs(x));
  const short = waves(x, [20, 6], [20, 2]);
  const metersNorth = north + short + waves(y, [20, 1], [40, 1 / 3], [160, 1 / 12], [320, 1 / 30]);
  const metersEast = east + short + waves(x, [20, 1], [40, 1 / 3], [150, 1 / 12], [300, 1 / 30]);
  const angle = radians(position.latitude);
  const flattening = 1 - ECCENTRICITY * Math.sin(angle) ** 2;
  const meridian = (AXIS * (1 - ECCENTRICITY)) / (flattening * Math.sqrt(flattening));
  const parallel = (AXIS / Math.sqrt(flattening)) * Math.cos(angle);
  return { latitude: metersNorth / radians(meridian), longitude: metersEast / radians(parallel) };
}

function waves(at: number, ...terms: readonly [amplitude: number, frequency: number][]): number {
  const sum = terms.reduce(
    (total, [amplitude, frequency]) => total + amplitude * Math.sin(at * frequency * Math.PI),
    0,
  );
  return (sum * 2) / 3;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
