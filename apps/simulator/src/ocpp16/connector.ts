import type { Fault } from '../behaviour/faults.ts';
import type { Timer } from '../behaviour/timers.ts';
import type { Payload } from '../wire/wire.ts';
import type { Car, ChargeState, Outlet } from './transactions/charging.ts';

/**
 * OCPP 1.6 ChargePointStatus (section 7.7) without `Reserved`, because this charge point does not support reservations.
 */
export type ConnectorStatus =
  | 'Available'
  | 'Preparing'
  | 'Charging'
  | 'SuspendedEV'
  | 'Finishing'
  | 'Unavailable'
  | 'Faulted';

/** The phase of the vehicle at a connector. */
export type Phase = 'idle' | 'Preparing' | 'Charging' | 'SuspendedEV' | 'Finishing';

/** The OCPP 1.6 Reason values (section 7.36) that this charge point uses. */
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

/** The driver's plan. All times in simulated seconds; null: the driver waits forever. */
export interface DriverPlan {
  idTag: string;
  car: Car;
  /** From the start of the transaction until the driver ends it. */
  staySeconds: number | null;
  stopReason: StopReason;
  /** From the end of the transaction, or from a rejection, until the vehicle is unplugged. */
  lingerSeconds: number | null;
  /** Called when the vehicle has left. */
  gone?: () => void;
}

/** A transaction. Its id is null until the central system has assigned one. */
interface Transaction {
  id: number | null;
}

/** A vehicle at a connector. */
export interface Session {
  plan: DriverPlan;
  transaction: Transaction | null;
  charge: ChargeState;
  /** The time (ms since 1970) up to which `charge` is computed. */
  updatedAt: number;
  sampleTimer: Timer | null;
  driverTimer: Timer | null;
}

/** A connector of a charge point. Number 0 is the charge point itself and has no outlet. */
export interface Connector {
  id: number;
  outlet: Outlet;
  operative: boolean;
  /** The availability that ChangeAvailability scheduled for the end of the transaction. */
  scheduled: boolean | null;
  fault: Fault | null;
  phase: Phase;
  session: Session | null;
  /** The energy register in Wh, without the running session. */
  registerWh: number;
  /** The last status of this connector that the central system acknowledged, as text; null: none since boot. */
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

/** The status to report (section 4.9): first a fault, then a charging session, then unavailability, then the rest. */
export function statusOf(connector: Connector): ConnectorStatus {
  const { fault, phase, operative } = connector;
  if (fault !== null && !fault.warning) return 'Faulted';
  if (phase === 'Charging' || phase === 'SuspendedEV') return phase;
  if (!operative) return 'Unavailable';
  return phase === 'idle' ? 'Available' : phase;
}

/** The energy register in Wh, including the running session. */
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

/** The state of a connector that the central system must know, as one text for comparison. */
export function reportable(connector: Connector): string {
  const { fault } = connector;
  return `${statusOf(connector)} ${fault?.errorCode ?? 'NoError'} ${fault?.vendorErrorCode ?? ''}`;
}
