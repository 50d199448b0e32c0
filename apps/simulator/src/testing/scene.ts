import { expect, onTestFinished } from 'vitest';
import { type Fleet, type FleetOptions, startFleet } from '../fleet.ts';
import type { ChargePoint } from '../ocpp16/charge-point.ts';
import { CentralSystem } from './central-system.ts';

/** A central system and a fleet connected to it, both gone when the test ends. */
export interface Scene {
  central: CentralSystem;
  fleet: Fleet;
  /** The first charge point: SIM00001, with two connectors unless the test wants others. */
  device: ChargePoint;
}

/** Life is a hundred times faster in tests, unless they say otherwise. */
const QUICK = { speed: 100, connectors: 2, reconnectMs: { min: 20, max: 100 } };

/** Sets the scene. `prepare` changes the central system before the fleet connects. */
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

/** As `setScene`, and the central system has accepted all and knows every connector. */
export async function setAcceptedScene(
  options: Partial<FleetOptions> = {},
  prepare?: (central: CentralSystem) => void,
): Promise<Scene> {
  const scene = await setScene(options, prepare);
  await scene.fleet.whenAccepted();
  await expect.poll(() => scene.fleet.devices.every((device) => device.queued === 0)).toBe(true);
  return scene;
}
