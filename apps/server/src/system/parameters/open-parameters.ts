import {
  BRANDING_FALLBACKS,
  type BrandingValues,
  brandingFault,
  isBrandingKey,
  isParameterKey,
  isParameterValue,
  type ParameterValues,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import { PARAMETERS_CHANGED, type SystemParameters } from '../../ports/settings/system-parameters.ts';
import { listStoredParameters } from './parameters.store.ts';

export interface OpenParameters extends SystemParameters {
  bases: ParameterValues;
  branding(): BrandingValues;
  /** Reads all values again. */
  reload(): Promise<void>;
  stop(): void;
}

/** The values of parameters in this process. They are read at the start, and again after each change in any process. */
export async function openParameters(parts: {
  db: Kysely<Database>;
  bus: Bus;
  log: Log;
  bases: ParameterValues;
}): Promise<OpenParameters> {
  const { db, bus, log, bases } = parts;
  let values = bases;
  let branding = BRANDING_FALLBACKS;
  let reading: Promise<void> = Promise.resolve();

  /** One at a time, so that an older answer never replaces a newer one. */
  function reload(): Promise<void> {
    const next = reading.then(async () => {
      const stored = await listStoredParameters(db);
      values = valuesOf(bases, stored);
      branding = brandingOf(stored);
    });
    reading = next.catch(() => undefined);
    return next;
  }
  await reload();
  const readAgain = () => {
    void reload().catch((error) => log.error({ err: error }, 'the parameters could not be read again'));
  };
  const stops = [bus.subscribe(PARAMETERS_CHANGED, readAgain), bus.onGap(readAgain)];
  const stop = () => {
    for (const one of stops) one();
  };
  return { bases, get: (key) => values[key], branding: () => branding, reload, stop };
}

/** All values. Unknown keys, and values that this version does not allow, have no effect. */
export function valuesOf(bases: ParameterValues, stored: ReadonlyMap<string, unknown>): ParameterValues {
  const values = { ...bases };
  for (const [key, value] of stored) {
    if (isParameterKey(key) && isParameterValue(key, value)) values[key] = value;
  }
  return values;
}

/** The branding. Unknown keys, and values that this version does not allow, have no effect. */
export function brandingOf(stored: ReadonlyMap<string, unknown>): BrandingValues {
  const values = { ...BRANDING_FALLBACKS };
  for (const [key, value] of stored) {
    if (isBrandingKey(key) && typeof value === 'string' && brandingFault(key, value) === null) values[key] = value;
  }
  return values;
}
