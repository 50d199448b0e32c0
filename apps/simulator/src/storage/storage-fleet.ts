import { JsonUnit } from './json-unit.ts';
import { StorageUnit, type StorageUnitSettings } from './storage-unit.ts';

/** The number and behavior of storage units. By default nothing happens automatically. */
export interface StorageFleetOptions extends Partial<Omit<StorageUnitSettings, 'sn'>> {
  url: string;
  units: number;
  /** how many of them, the last ones, send plain JSON instead of Sparkplug B; default 0 */
  json?: number;
  /** SNs are this prefix and a five-digit number starting at 1. Default `ESS`. */
  prefix?: string;
  password: string;
}

export interface StorageFleet {
  /** those with Sparkplug B */
  units: StorageUnit[];
  summary(): { units: number; connected: number; faulted: number };
  stop(): Promise<void>;
}

/** Starts storage units. They connect, and reconnect when they lose the connection. */
export function startStorageFleet(options: StorageFleetOptions): StorageFleet {
  const { units: count, json = 0, prefix = 'ESS', ...more } = options;
  const common = { group: 'storage', seed: 1, speed: 1, faultEvery: 0, disconnectEvery: 0, insecure: false, ...more };
  const settings = Array.from({ length: count }, (_, index) => ({
    ...common,
    sn: `${prefix}${String(index + 1).padStart(5, '0')}`,
  }));
  const first = Math.max(0, count - json);
  const units = settings.slice(0, first).map((one) => new StorageUnit(one));
  const all = [...units, ...settings.slice(first).map((one) => new JsonUnit(one))];
  for (const unit of all) unit.start();
  return {
    units,
    summary: () => ({
      units: all.length,
      connected: all.filter((unit) => unit.connected).length,
      faulted: all.filter((unit) => unit.faulted).length,
    }),
    async stop() {
      await Promise.all(all.map((unit) => unit.stop()));
    },
  };
}
