import { CallError, type Payload } from './wire.ts';

/** The rules for a field of a received request. */
export interface Field {
  type: 'string' | 'integer' | 'object' | 'array' | 'dateTime';
  required?: true;
  /** The maximum length of a text. */
  max?: number;
  oneOf?: readonly string[];
}

export type Shape = Record<string, Field>;

/**
 * Checks a request against its shape and returns it. Throws the CALLERROR of OCPP-J 1.6 section 4.2.3:
 * FormationViolation when it is not an object or has an unknown field, OccurenceConstraintViolation for a missing
 * field, TypeConstraintViolation for a wrong type, PropertyConstraintViolation for an invalid value.
 */
export function checkShape(shape: Shape, payload: unknown): Payload {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw new CallError('FormationViolation', 'The payload is not an object');
  }
  const fields = payload as Payload;
  for (const name of Object.keys(fields)) {
    if (!Object.hasOwn(shape, name)) throw new CallError('FormationViolation', `Unknown field ${name}`);
  }
  for (const [name, field] of Object.entries(shape)) {
    const value = fields[name];
    if (value !== undefined) checkField(name, field, value);
    else if (field.required) throw new CallError('OccurenceConstraintViolation', `Missing field ${name}`);
  }
  return fields;
}

function checkField(name: string, field: Field, value: unknown): void {
  if (!hasType(field.type, value))
    throw new CallError('TypeConstraintViolation', `${name} is not of type ${field.type}`);
  if (typeof value !== 'string') return;
  if (field.max !== undefined && value.length > field.max) {
    throw new CallError('PropertyConstraintViolation', `${name} is longer than ${field.max}`);
  }
  if (field.oneOf !== undefined && !field.oneOf.includes(value)) {
    throw new CallError('PropertyConstraintViolation', `${name} is none of ${field.oneOf.join(', ')}`);
  }
  if (field.type === 'dateTime' && Number.isNaN(Date.parse(value))) {
    throw new CallError('PropertyConstraintViolation', `${name} is not a date and time`);
  }
}

function hasType(type: Field['type'], value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'string':
    case 'dateTime':
      return typeof value === 'string';
  }
}

const text = (max: number): Field => ({ type: 'string', max });
const required = (field: Field): Field => ({ ...field, required: true });
const integer: Field = { type: 'integer' };
const object: Field = { type: 'object' };
const array: Field = { type: 'array' };
const dateTime: Field = { type: 'dateTime' };
const location: Field = { type: 'string', required: true };
const enumeration = (...oneOf: string[]): Field => ({ type: 'string', required: true, oneOf });

/** The requests of a central system (OCPP 1.6 section 6). Other actions are not implemented. */
export const REQUEST_SHAPES = {
  CancelReservation: { reservationId: required(integer) },
  CertificateSigned: { certificateChain: required(text(10_000)) },
  ChangeAvailability: { connectorId: required(integer), type: enumeration('Inoperative', 'Operative') },
  ChangeConfiguration: { key: required(text(50)), value: required(text(500)) },
  ClearCache: {},
  ClearChargingProfile: {
    id: integer,
    connectorId: integer,
    chargingProfilePurpose: text(50),
    stackLevel: integer,
  },
  DataTransfer: { vendorId: required(text(255)), messageId: text(50), data: { type: 'string' } },
  GetCompositeSchedule: { connectorId: required(integer), duration: required(integer), chargingRateUnit: text(1) },
  GetConfiguration: { key: array },
  GetDiagnostics: {
    location,
    retries: integer,
    retryInterval: integer,
    startTime: dateTime,
    stopTime: dateTime,
  },
  GetLocalListVersion: {},
  GetLog: {
    logType: enumeration('DiagnosticsLog', 'SecurityLog'),
    requestId: required(integer),
    retries: integer,
    retryInterval: integer,
    log: required(object),
  },
  RemoteStartTransaction: { connectorId: integer, idTag: required(text(20)), chargingProfile: object },
  RemoteStopTransaction: { transactionId: required(integer) },
  ReserveNow: {
    connectorId: required(integer),
    expiryDate: required(dateTime),
    idTag: required(text(20)),
    parentIdTag: text(20),
    reservationId: required(integer),
  },
  Reset: { type: enumeration('Hard', 'Soft') },
  SendLocalList: {
    listVersion: required(integer),
    localAuthorizationList: array,
    updateType: enumeration('Differential', 'Full'),
  },
  SetChargingProfile: { connectorId: required(integer), csChargingProfiles: required(object) },
  // Of the security whitepaper; FIRMWARE_SHAPE checks the content of `firmware`.
  SignedUpdateFirmware: {
    requestId: required(integer),
    retries: integer,
    retryInterval: integer,
    firmware: required(object),
  },
  // An unsupported message is answered with NotImplemented (section 5.17), so any text is accepted.
  TriggerMessage: { requestedMessage: required(text(50)), connectorId: integer },
  UnlockConnector: { connectorId: required(integer) },
  UpdateFirmware: { location, retries: integer, retrieveDate: required(dateTime), retryInterval: integer },
} as const satisfies Record<string, Shape>;

/** FirmwareType of the security whitepaper. */
export const FIRMWARE_SHAPE = {
  location: required(text(512)),
  retrieveDateTime: required(dateTime),
  installDateTime: dateTime,
  signingCertificate: required(text(5_500)),
  signature: required(text(800)),
} as const satisfies Shape;

export type Action = keyof typeof REQUEST_SHAPES;

/** True for an action that this charge point supports. */
export function isAction(action: string): action is Action {
  return Object.hasOwn(REQUEST_SHAPES, action);
}
