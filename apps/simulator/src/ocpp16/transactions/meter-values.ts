import type { Payload } from '../../wire/wire.ts';
import type { Outlet, Readings } from './charging.ts';

/** OCPP 1.6 ReadingContext values that this charge point uses. */
export type ReadingContext = 'Sample.Periodic' | 'Trigger';

/** The measurands this charge point can report: the value set of `MeterValuesSampledData`. */
export const MEASURANDS = [
  'Energy.Active.Import.Register',
  'Power.Active.Import',
  'Voltage',
  'Current.Import',
  'SoC',
  'Temperature',
] as const;

/**
 * One OCPP 1.6 MeterValue: the readings of an outlet for the given `measurands`.
 * @param readings null when no vehicle is charging: then only the energy register has a value.
 * @param registerWh the energy register of the connector. @param timestamp ISO-8601.
 */
export function meterValue(
  outlet: Outlet,
  registerWh: number,
  readings: Readings | null,
  measurands: ReadonlySet<string>,
  context: ReadingContext,
  timestamp: string,
): Payload {
  const sampledValue: Payload[] = [];
  const add = (measurand: string, value: number, decimals: number, rest: Payload): void => {
    if (measurands.has(measurand)) {
      sampledValue.push({ value: value.toFixed(decimals), context, measurand, ...rest });
    }
  };
  add('Energy.Active.Import.Register', registerWh, 0, { location: 'Outlet', unit: 'Wh' });
  if (readings !== null) {
    add('Power.Active.Import', readings.powerW, 0, { location: 'Outlet', unit: 'W' });
    readings.voltageV.forEach((voltage, phase) => {
      add('Voltage', voltage, 1, { ...lineOf(outlet, phase, '-N'), location: 'Outlet', unit: 'V' });
    });
    readings.currentA.forEach((current, phase) => {
      add('Current.Import', current, 2, { ...lineOf(outlet, phase, ''), location: 'Outlet', unit: 'A' });
    });
    add('SoC', readings.soc, 0, { location: 'EV', unit: 'Percent' });
    add('Temperature', readings.temperatureC, 1, { location: 'Body', unit: 'Celsius' });
  }
  return { timestamp, sampledValue };
}

function lineOf(outlet: Outlet, phase: number, suffix: string): Payload {
  return outlet.kind === 'ac' ? { phase: `L${phase + 1}${suffix}` } : {};
}
