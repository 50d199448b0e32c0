/**
 * The OCPP 1.6 ChargePointErrorCode values (section 7.6) except `NoError`, with the details that such a charge point
 * adds.
 */
const FAULTS = {
  ConnectorLockFailure: { vendorErrorCode: 'E1101', info: 'Connector lock does not reach its end position' },
  EVCommunicationError: { vendorErrorCode: 'E1204', info: 'Control pilot lost' },
  GroundFailure: { vendorErrorCode: 'E2001', info: 'Residual current above 30 mA' },
  HighTemperature: { vendorErrorCode: 'E3002', info: 'Cabinet above 75 degrees, power reduced' },
  InternalError: { vendorErrorCode: 'E9001', info: 'Power module 2 does not answer' },
  LocalListConflict: { vendorErrorCode: 'E5003', info: 'Local list and central answer differ' },
  OtherError: { vendorErrorCode: 'E9900', info: 'Emergency stop pressed' },
  OverCurrentFailure: { vendorErrorCode: 'E2104', info: 'Output current above limit' },
  OverVoltage: { vendorErrorCode: 'E2202', info: 'Mains above 264 V' },
  PowerMeterFailure: { vendorErrorCode: 'E4001', info: 'Meter does not answer on its bus' },
  PowerSwitchFailure: { vendorErrorCode: 'E2301', info: 'Main contactor welded' },
  ReaderFailure: { vendorErrorCode: 'E5101', info: 'Card reader restarts' },
  ResetFailure: { vendorErrorCode: 'E9102', info: 'Controller did not restart in time' },
  UnderVoltage: { vendorErrorCode: 'E2203', info: 'Mains below 196 V' },
  WeakSignal: { vendorErrorCode: 'E6001', info: 'Mobile signal at -109 dBm' },
} as const satisfies Record<string, { vendorErrorCode: string; info: string }>;

export type ErrorCode = keyof typeof FAULTS;

/** An active fault. With `warning` the connector keeps working and only reports the error code. */
export interface Fault {
  errorCode: ErrorCode;
  vendorErrorCode: string;
  info: string;
  warning: boolean;
}

/** The error codes of a charge point that keeps working (section 4.9: an error code without status Faulted). */
export const WARNING_CODES: readonly ErrorCode[] = ['HighTemperature', 'WeakSignal', 'LocalListConflict'];

/** The error codes of the whole charge point, reported on connector 0. */
export const STATION_CODES: readonly ErrorCode[] = ['ReaderFailure', 'InternalError', 'UnderVoltage', 'OverVoltage'];

/** The error codes of a single connector. */
export const CONNECTOR_CODES: readonly ErrorCode[] = [
  'ConnectorLockFailure',
  'EVCommunicationError',
  'GroundFailure',
  'OverCurrentFailure',
  'PowerMeterFailure',
  'PowerSwitchFailure',
  'OtherError',
];

/** A fault with the vendor's own code and text, unless others are given. */
export function makeFault(errorCode: ErrorCode, warning: boolean, vendorErrorCode?: string): Fault {
  const known = FAULTS[errorCode];
  return { errorCode, vendorErrorCode: vendorErrorCode ?? known.vendorErrorCode, info: known.info, warning };
}
