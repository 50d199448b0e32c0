import { DEFAULT_ZONE, zoneOffset } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { ResumedState } from '../../../simulator/src/resume.ts';
import { findSoftVersions } from '../fleet/index.ts';
import type { Database } from '../platform/database/schema.ts';
import { lastValues } from '../telemetry/index.ts';
import type { DemoFleet } from './fleet.ts';

const ENERGY = 'Energy.Active.Import.Register';

/** The values that a storage unit keeps, by the keys of its readings. */
const STORAGE_KEYS = {
  'Battery/SoC': 'soc',
  'Battery/Power': 'power',
  'Battery/Temperature': 'temperature',
  'Battery/Charged Energy': 'charged',
  'Battery/Discharged Energy': 'discharged',
  'Grid/Power': 'grid',
  'Load/Power': 'load',
  'PV/Power': 'pv',
  'Grid/Imported Energy': 'imported',
  'Grid/Exported Energy': 'exported',
  'PV/Energy': 'produced',
} as const;

/** The meters and versions that the devices of the demo reported last, so that simulated ones continue with them. */
export async function stateOfDemoFleet(db: Kysely<Database>, fleet: DemoFleet): Promise<ResumedState> {
  const sns = fleet.chargers.map(({ sn }) => sn);
  const [meters, values, versions] = await Promise.all([
    lastValues(db, sns, { energyKey: ENERGY, keys: [] }),
    lastValues(db, fleet.storage, { energyKey: ENERGY, keys: Object.keys(STORAGE_KEYS) }),
    findSoftVersions(db, sns),
  ]);
  const stations: Record<string, { registersWh: number[]; firmwareVersion?: string | undefined }> = {};
  for (const [sn, version] of versions) stations[sn] = { registersWh: [], firmwareVersion: version };
  for (const { sn, connector, value } of meters) {
    stations[sn] ??= { registersWh: [] };
    const station = stations[sn];
    station.registersWh[connector - 1] = Math.max(station.registersWh[connector - 1] ?? 0, value);
  }
  const states: Record<string, Record<string, number>> = {};
  for (const { sn, key, value } of values) {
    const field = STORAGE_KEYS[key as keyof typeof STORAGE_KEYS];
    states[sn] = { ...states[sn], ...(field === undefined ? {} : { [field]: value }) };
  }
  return { stations, storage: { states, zoneOffsetMs: zoneOffset(Date.now(), DEFAULT_ZONE) } };
}
