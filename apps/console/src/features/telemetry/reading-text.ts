/** The measurand of the energy counter for charging sessions (OCPP 1.6 §7.31). */
const ENERGY_COUNTER = 'Energy.Active.Import.Register';

/**
 * The energy of a session so far in watt-hours, or null when the counter has not been read since it started.
 * @param meterStart the counter at the start of the session, in Wh
 */
export function sessionEnergy(
  readings: readonly { key: string; unit: string; value: number | null; at: string }[],
  session: { meterStart: number; startedAt: string },
): number | null {
  const counter = readings.find(({ key }) => key === ENERGY_COUNTER);
  if (!counter || counter.value === null || Date.parse(counter.at) < Date.parse(session.startedAt)) return null;
  const wattHours = counter.unit === 'kWh' ? counter.value * 1_000 : counter.value;
  return Math.max(0, wattHours - session.meterStart);
}
