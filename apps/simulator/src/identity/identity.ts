import type { Random } from '../behaviour/random.ts';
import type { Outlet } from '../ocpp16/transactions/charging.ts';
import type { Payload } from '../wire/wire.ts';

/** The identity of a charge point: what it reports about itself, and its hardware. */
export interface Identity {
  sn: string;
  vendor: string;
  model: string;
  firmwareVersion: string;
  iccid: string;
  meterSerialNumber: string;
  /** One outlet per connector, starting with connector 1. */
  outlets: Outlet[];
}

/** Draws a charge point from the catalog below. `connectors` overrides the model's number. */
export function drawIdentity(sn: string, random: Random, connectors?: number): Identity {
  const product = random.pick(CATALOGUE);
  const outlet: Outlet = { kind: product.kind, phases: product.phases, maxPowerW: product.maxPowerW };
  return {
    sn,
    vendor: product.vendor,
    model: product.model,
    firmwareVersion: random.pick(product.firmware),
    iccid: `8985200${random.digits(12)}`,
    meterSerialNumber: `EM${random.digits(8)}`,
    outlets: Array.from({ length: connectors ?? product.connectors }, () => outlet),
  };
}

/** The BootNotification.req of a charge point (OCPP 1.6 section 6.3). */
export function bootNotification(identity: Identity): Payload {
  return {
    chargePointVendor: identity.vendor,
    chargePointModel: identity.model,
    chargePointSerialNumber: identity.sn,
    firmwareVersion: identity.firmwareVersion,
    iccid: identity.iccid,
    meterType: 'Class B 3-phase',
    meterSerialNumber: identity.meterSerialNumber,
  };
}

/**
 * The version after an update: the one in the file name, otherwise the current one with its last number incremented.
 * `ftp://host/hs-2.7.1.bin` gives 2.7.1.
 */
export function nextFirmwareVersion(present: string, location: string, head = ''): string {
  const written = /^\s*version\s*[:=]\s*(\S{1,50})\s*$/im.exec(head)?.[1];
  if (written !== undefined) return written;
  const fileName = location.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  const named = /\d+(?:\.\d+)+/.exec(fileName)?.[0];
  if (named !== undefined) return named.slice(0, 50);
  return present.replace(/\d+$/, (last) => String(Number(last) + 1));
}

interface Product {
  vendor: string;
  model: string;
  kind: Outlet['kind'];
  phases: Outlet['phases'];
  maxPowerW: number;
  connectors: number;
  firmware: readonly string[];
}

/** Fictional vendors and models. Any similarity to real ones is accidental. */
const CATALOGUE: readonly Product[] = [
  {
    vendor: 'Harrowgate',
    model: 'HG-7 Post',
    kind: 'ac',
    phases: 1,
    maxPowerW: 7_360,
    connectors: 1,
    firmware: ['1.8.2', '1.9.0'],
  },
  {
    vendor: 'Harrowgate',
    model: 'HG-22 Duo',
    kind: 'ac',
    phases: 3,
    maxPowerW: 22_080,
    connectors: 2,
    firmware: ['1.8.2', '1.9.0', '2.0.1'],
  },
  {
    vendor: 'Silverpine EV',
    model: 'SP-60 Swift',
    kind: 'dc',
    phases: 3,
    maxPowerW: 60_000,
    connectors: 1,
    firmware: ['3.2.11', '3.3.0'],
  },
  {
    vendor: 'Silverpine EV',
    model: 'SP-120 Twin',
    kind: 'dc',
    phases: 3,
    maxPowerW: 120_000,
    connectors: 2,
    firmware: ['3.2.11', '3.3.0', '3.3.4'],
  },
  {
    vendor: 'Tidewater Power',
    model: 'TW-240 Hub',
    kind: 'dc',
    phases: 3,
    maxPowerW: 240_000,
    connectors: 2,
    firmware: ['5.0.7', '5.1.0'],
  },
];
