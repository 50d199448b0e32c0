import type { Connector } from '../ocpp16/connector.ts';
import { stopTransaction } from '../ocpp16/transactions/session.ts';
import type { Fault } from './faults.ts';
import type { Station } from './station.ts';

/** Raises a fault: reports its status and ends a running transaction, unless it is only a warning. */
export function raiseFault(station: Station, connector: Connector, fault: Fault): void {
  connector.fault = fault;
  station.sendStatus(connector);
  if (!fault.warning) stopTransaction(station, connector, 'Other');
}

/** Clears the fault of a connector. False when there was none. */
export function clearFault(station: Station, connector: Connector): boolean {
  if (connector.fault === null) return false;
  connector.fault = null;
  station.sendStatus(connector);
  return true;
}
