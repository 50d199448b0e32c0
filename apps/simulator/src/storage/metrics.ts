import { get } from 'sparkplug-payload';
import { CAPACITY_KWH, type StorageSettings, type StorageState } from './battery.ts';

/** A metric of a storage unit: its definition in the birth message, and its current value. */
export interface UnitMetric {
  name: string;
  type: 'Int32' | 'Int64' | 'Double' | 'Float' | 'Boolean' | 'String';
  value: number | boolean | string;
  unit?: string;
}

/** Initial parameters of a unit, by their metric names (those of the built-in model of a home storage unit). */
export const SETTINGS: readonly (UnitMetric & { low?: number; high?: number })[] = [
  { name: 'Settings/Mode', type: 'Int32', value: 0, low: 0, high: 3 },
  { name: 'Settings/SoC Min', type: 'Int32', value: 10, unit: '%', low: 0, high: 100 },
  { name: 'Settings/SoC Max', type: 'Int32', value: 95, unit: '%', low: 1, high: 100 },
  { name: 'Settings/Charge Power Max', type: 'Float', value: 5, unit: 'kW', low: 0, high: 10 },
  { name: 'Settings/Discharge Power Max', type: 'Float', value: 5, unit: 'kW', low: 0, high: 10 },
  { name: 'Settings/Backup Reserve', type: 'Int32', value: 20, unit: '%', low: 0, high: 100 },
  { name: 'Settings/Power Setpoint', type: 'Float', value: 0, unit: 'kW', low: -10, high: 10 },
  { name: 'Settings/Grid Charging', type: 'Boolean', value: false },
  { name: 'Settings/Feed In', type: 'Boolean', value: true },
  { name: 'Settings/Feed In Limit', type: 'Float', value: 7, unit: 'kW', low: 0, high: 1_000 },
  { name: 'Settings/Charge From', type: 'Int32', value: 0, unit: 'h', low: 0, high: 23 },
  { name: 'Settings/Charge To', type: 'Int32', value: 6, unit: 'h', low: 0, high: 23 },
  { name: 'Settings/Report Interval', type: 'Int32', value: 10, unit: 's', low: 1, high: 3_600 },
  { name: 'Settings/Meter Address', type: 'Int32', value: 1, low: 1, high: 247 },
];

/** The fault codes that a unit can report. */
export const FAULTS: readonly number[] = [17, 32, 41, 108];

/** The settings that decide how a unit charges, from the values of its parameters. */
export function settingsOf(read: (name: string) => unknown): StorageSettings {
  const value = (name: string) => Number(read(`Settings/${name}`));
  return {
    ...{ mode: value('Mode'), socMin: value('SoC Min'), socMax: value('SoC Max'), setpoint: value('Power Setpoint') },
    ...{ chargePowerMax: value('Charge Power Max'), dischargePowerMax: value('Discharge Power Max') },
  };
}

/** The settings of a new unit. */
export const DEFAULT_SETTINGS = settingsOf((name) => SETTINGS.find((one) => one.name === name)?.value);

/** The controls of a unit, in addition to its settings. */
export const CONTROLS: readonly UnitMetric[] = [
  { name: 'Node Control/Rebirth', type: 'Boolean', value: false },
  { name: 'Node Control/Reboot', type: 'Boolean', value: false },
  { name: 'Node Control/RestartCcu', type: 'String', value: '' },
  { name: 'Node Control/UpgradeSoftware', type: 'String', value: '' },
  { name: 'Node Control/UpdatePlcFirmware', type: 'String', value: '' },
  { name: 'Node Control/UploadLog', type: 'String', value: '' },
  { name: 'Node Control/StartVpn', type: 'String', value: '' },
  { name: 'Node Control/StopVpn', type: 'String', value: '' },
  { name: 'Node Control/Answer', type: 'String', value: '' },
  { name: 'Node Control/Command Id', type: 'String', value: '' },
];

/** What a unit is doing, as it reports it: 0 nothing, 1 charging, 2 discharging, 3 nothing because of a fault. */
export function activityOf({ fault, power }: Pick<StorageState, 'fault' | 'power'>): number {
  if (fault !== 0) return 3;
  return power > 0.05 ? 1 : power < -0.05 ? 2 : 0;
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));

/** The metrics of a unit other than settings and controls. */
export function measures(
  state: StorageState,
  unit: {
    sn: string;
    firmware: string;
    plcFirmware: string;
    firmwareStatus: string;
    logStatus: string;
    requestId: string;
  },
): UnitMetric[] {
  const { soc, power, temperature, fault } = state;
  const voltage = 48 + soc * 0.06;
  const measure = (name: string, value: number, unitName: string): UnitMetric => ({
    ...{ name, type: 'Double', value, unit: unitName },
  });
  return [
    { name: 'Node Control/Enabled', type: 'Boolean', value: state.enabled },
    { name: 'Properties/Model', type: 'String', value: 'HomeStore 10' },
    { name: 'Properties/Serial', type: 'String', value: unit.sn },
    { name: 'Properties/Firmware', type: 'String', value: unit.firmware },
    { name: 'PlcFirmwareVersion', type: 'String', value: unit.plcFirmware },
    measure('Properties/Rated Power', 5, 'kW'),
    measure('Properties/Rated Energy', CAPACITY_KWH, 'kWh'),
    { name: 'Firmware/Request', type: 'String', value: unit.requestId },
    { name: 'Firmware/Status', type: 'String', value: unit.firmwareStatus },
    { name: 'Log/Request', type: 'String', value: unit.requestId },
    { name: 'Log/Status', type: 'String', value: unit.logStatus },
    { name: 'Battery/State', type: 'Int32', value: activityOf(state) },
    measure('Battery/SoC', round(soc, 1), '%'),
    measure('Battery/SoH', 98.5, '%'),
    measure('Battery/Power', round(power, 3), 'kW'),
    measure('Battery/Voltage', round(voltage, 1), 'V'),
    measure('Battery/Current', round((power * 1_000) / voltage, 1), 'A'),
    measure('Battery/Temperature', round(temperature, 1), '°C'),
    measure('Battery/Cell Voltage Max', round(voltage / 16 + 0.01, 3), 'V'),
    measure('Battery/Cell Voltage Min', round(voltage / 16 - 0.01, 3), 'V'),
    measure('Battery/Cell Temperature Max', round(temperature + 1.5, 1), '°C'),
    { name: 'Battery/Cycles', type: 'Int64', value: Math.floor(state.charged / CAPACITY_KWH) },
    measure('Battery/Charged Energy', round(state.charged, 2), 'kWh'),
    measure('Battery/Discharged Energy', round(state.discharged, 2), 'kWh'),
    measure('Grid/Power', round(state.grid, 3), 'kW'),
    measure('Grid/Voltage', round(230 + Math.sin(soc) * 2, 1), 'V'),
    measure('Grid/Frequency', 50, 'Hz'),
    measure('Grid/Imported Energy', round(state.imported, 2), 'kWh'),
    measure('Grid/Exported Energy', round(state.exported, 2), 'kWh'),
    measure('Load/Power', round(state.load, 3), 'kW'),
    measure('PV/Power', round(state.pv, 3), 'kW'),
    measure('PV/Energy', round(state.produced, 2), 'kWh'),
    measure('Inverter/Temperature', round(temperature + 8, 1), '°C'),
    { name: 'Inverter/Fault', type: 'Int32', value: fault },
    { name: 'Alarms/High Temperature', type: 'Boolean', value: temperature > 45 },
  ];
}

const found = get('spBv1.0');
if (!found) throw new Error('The Sparkplug B codec is missing');
const codec = found;

/** Encodes a message of a unit. In births, metrics have names, aliases and units; in data, only aliases. */
export function encodeMetrics(
  metrics: readonly (UnitMetric & { alias?: number })[],
  message: { seq?: number; bdSeq?: number; birth: boolean },
): Buffer {
  const timestamp = Date.now();
  const written = metrics.map(({ name, type, value, unit, alias }) => ({
    ...(message.birth ? { name } : { name: undefined }),
    ...{ type, value, timestamp, alias },
    ...(message.birth && unit ? { properties: { engUnit: { type: 'String' as const, value: unit } } } : {}),
  }));
  const session = message.bdSeq === undefined ? [] : [{ name: 'bdSeq', type: 'UInt64' as const, value: message.bdSeq }];
  const { seq } = message;
  const payload = { timestamp, metrics: [...session, ...written], ...(seq === undefined ? {} : { seq }) };
  return Buffer.from(codec.encodePayload(payload));
}

/** The values that a command writes, by name. */
export function decodeCommand(bytes: Buffer): { name: string; value: number | boolean | string }[] {
  return (codec.decodePayload(bytes).metrics ?? []).flatMap(({ name, value }) => {
    if (!name || value === null || value instanceof Uint8Array) return [];
    if (typeof value === 'object') return 'toNumber' in value ? [{ name, value: value.toNumber() }] : [];
    return [{ name, value }];
  });
}
