import type { Fault } from '../behaviour/faults.ts';
import type { Timer } from '../behaviour/timers.ts';
import type { Payload } from '../wire/wire.ts';
import type { Car, ChargeState, Outlet } from './transactions/charging.ts';

/** OCPP 1.6 ChargePointStatus (section 7.7) without `Reserved`: this charge point takes no reservations. */
export type ConnectorStatus =
  | 'Available'
  | 'Preparing'
  | 'Charging'
  | 'SuspendedEV'
  | 'Finishing'
  | 'Unavailable'
  | 'Faulted';

/** Where the car at a connector has got to. */
export type Phase = 'idle' | 'Preparing' | 'Charging' | 'SuspendedEV' | 'Finishing';

/** OCPP 1.6 Reason (section 7.36) as far as this charge point uses it. */
export type StopReason =
  | 'EVDisconnected'
  | 'HardReset'
  | 'Local'
  | 'Other'
  | 'Reboot'
  | 'Remote'
  | 'SoftReset'
  | 'UnlockCommand'
  | 'DeAuthorized';

/** What the driver will do. All times in seconds of behaviour; null: the driver waits for ever. */
export interface DriverPlan {
  idTag: string;
  car: Car;
  /** From the start of the transaction to its end by the driver. */
  staySeconds: number | null;
  stopReason: StopReason;
  /** From the end of the transaction, or from a refusal, until the car is unplugged. */
  lingerSeconds: number | null;
  /** Called when the car has left. */
  gone?: () => void;
}

/** A transaction. Its id is null until the central system has given one. */
interface Transaction {
  id: number | null;
}

/** A car at a connector. */
export interface Session {
  plan: DriverPlan;
  transaction: Transaction | null;
  charge: ChargeState;
  /** The instant (ms since 1970) up to which `charge` is reckoned. */
  reckonedAt: number;
  sampleTimer: Timer | null;
  driverTimer: Timer | null;
}

/** One connector of a charge point; number 0 stands for the charge point itself and has no outlet of its own. */
export interface Connector {
  id: number;
  outlet: Outlet;
  operative: boolean;
  /** The availability that a ChangeAvailability has scheduled for the end of the transaction. */
  scheduled: boolean | null;
  fault: Fault | null;
  phase: Phase;
  session: Session | null;
  /** The energy register, in Wh, without the running session. */
  registerWh: number;
  /** What the central system has last acknowledged of this connector, as text; null: nothing since boot. */
  reported: string | null;
}

export function newConnector(id: number, outlet: Outlet, registerWh: number): Connector {
  return {
    id,
    outlet,
    operative: true,
    scheduled: null,
    fault: null,
    phase: 'idle',
    session: null,
    registerWh,
    reported: null,
  };
}

/** The status to report (section 4.9): a fault before a running charge, that before unavailability, that before the rest. */
export function statusOf(connector: Connector): ConnectorStatus {
  const { fault, phase, operative } = connector;
  if (fault !== null && !fault.warning) return 'Faulted';
  if (phase === 'Charging' || phase === 'SuspendedEV') return phase;
  if (!operative) return 'Unavailable';
  return phase === 'idle' ? 'Available' : phase;
}

/** The energy register in Wh, the running session included. */
export function registerOf(connector: Connector): number {
  return connector.registerWh + (connector.session?.charge.energyWh ?? 0);
}

/** The StatusNotification.req of a connector (section 6.47). */
export function statusNotification(connector: Connector, vendor: string, timestamp: string): Payload {
  const { fault } = connector;
  return {
    connectorId: connector.id,
    errorCode: fault?.errorCode ?? 'NoError',
    status: statusOf(connector),
    timestamp,
    ...(fault === null ? {} : { info: fault.info, vendorId: vendor, vendorErrorCode: fault.vendorErrorCode }),
  };
}

/** What of a connector's state the central system must know, as one text to compare. */
export function reportable(connector: Connector): string {
  const { fault } = connector;
  return `${statusOf(connector)} ${fault?.errorCode ?? 'NoError'} ${fault?.vendorErrorCode ?? ''}`;
}
