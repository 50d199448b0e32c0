import { type GeoPosition, roundedDegrees } from '@chargehand/domain';
import { Problem } from '../platform/http/problem.ts';

type Entered = { [K in keyof GeoPosition]: number | null };

/**
 * The position of a site after a user entered parts of it. Parts that are not given are unchanged. The schema checks
 * the ranges.
 * @throws Problem `positionIncomplete` with the missing coordinate
 */
export function enteredPosition(current: Entered, entered: Partial<Entered>): Entered {
  const coordinate = (name: keyof GeoPosition) => {
    const given = entered[name];
    if (given === undefined) return current[name];
    return given === null ? null : roundedDegrees(given);
  };
  const latitude = coordinate('latitude');
  const longitude = coordinate('longitude');
  if ((latitude === null) !== (longitude === null)) {
    throw new Problem('positionIncomplete', { field: latitude === null ? 'latitude' : 'longitude' });
  }
  return { latitude, longitude };
}
