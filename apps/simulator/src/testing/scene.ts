import { expect, onTestFinished } from 'vitest';
import { type Fleet, type FleetOptions, startFleet } from '../fleet.ts';
import type { ChargePoint } from '../ocpp16/charge-point.ts';
import { CentralSystem } from './central-system.ts';

/** A central system with a connected fleet; both are stopped when the test ends. */
export interface Scene {
  central: CentralSystem;
  fleet: Fleet;
  /** The first charge point: SIM00001, with two connectors by default. */
  device: ChargePoint;
}

/** Simulated time is a hundred times faster in tests by default. */
const QUICK = { speed: 100, connectors: 2, reconnectMs: { min: 20, max: 100 } };

/** Starts a scene. `prepare` changes the central system before the fleet connects. */
export async function setScene(
  options: Partial<FleetOptions> = {},
  prepare: (central: CentralSystem) => void = () => undefined,
): Promise<Scene> {
  const central = await CentralSystem.start();
  onTestFinished(() => central.stop());
  prepare(central);
  const fleet = await startFleet({ url: central.url, devices: 1, ...QUICK, ...options });
  onTestFinished(() => fleet.stop());
  const device = fleet.devices[0];
  if (device === undefined) throw new RangeError('a scene needs a charge point');
  return { central, fleet, device };
}

/** Like `setScene`; the central system has accepted all charge points and knows every connector. */
export async function setAcceptedScene(
  options: Partial<FleetOptions> = {},
  prepare?: (central: CentralSystem) => void,
): Promise<Scene> {
  const scene = await setScene(options, prepare);
  await scene.fleet.whenAccepted();
  await expect.poll(() => scene.fleet.devices.every((device) => device.queued === 0)).toBe(true);
  return scene;
}
