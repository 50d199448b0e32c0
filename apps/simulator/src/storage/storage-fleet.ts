import { StorageUnit, type StorageUnitSettings } from './storage-unit.ts';

/** The number and behavior of storage units. By default nothing happens automatically. */
export interface StorageFleetOptions extends Partial<Omit<StorageUnitSettings, 'sn'>> {
  url: string;
  units: number;
  /** SNs are this prefix and a five-digit number starting at 1. Default `ESS`. */
  prefix?: string;
  password: string;
}

export interface StorageFleet {
  units: StorageUnit[];
  summary(): { units: number; connected: number; faulted: number };
  stop(): Promise<void>;
}

/** Starts storage units. They connect, and reconnect when they lose the connection. */
export function startStorageFleet(options: StorageFleetOptions): StorageFleet {
  const { units: count, prefix = 'ESS', ...more } = options;
  const common = { group: 'storage', seed: 1, speed: 1, faultEvery: 0, disconnectEvery: 0, insecure: false, ...more };
  const units = Array.from(
    { length: count },
    (_, index) => new StorageUnit({ ...common, sn: `${prefix}${String(index + 1).padStart(5, '0')}` }),
  );
  for (const unit of units) unit.start();
  return {
    units,
    summary: () => ({
      units: units.length,
      connected: units.filter((unit) => unit.connected).length,
      faulted: units.filter((unit) => unit.faulted).length,
    }),
    async stop() {
      await Promise.all(units.map((unit) => unit.stop()));
    },
  };
}
