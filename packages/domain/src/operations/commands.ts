/**
 * What can be asked of a device, each with its control type: 1 to 11 of spec §9, 12 and above our own. Types 3 and 4
 * carry both directions (disable and enable); 9 and 10 carry the reading the device model chose.
 */
export const COMMAND_KINDS = {
  softReset: 1,
  hardReset: 2,
  disableSystem: 3,
  enableSystem: 3,
  disableConnector: 4,
  enableConnector: 4,
  upgradeSoftware: 5,
  uploadLog: 6,
  startVpn: 7,
  stopVpn: 8,
  restartCcu: 9,
  refreshConfiguration: 9,
  refreshParameters: 10,
  updatePlcFirmware: 10,
  setParameter: 11,
  remoteStart: 12,
  remoteStop: 13,
  unlockConnector: 14,
  clearCache: 15,
  triggerMessage: 16,
  sendMessage: 17,
  changePassword: 11,
} as const;
export type CommandKind = keyof typeof COMMAND_KINDS;

/** What is asked of one device; connector 0 is the device itself. */
export interface Command {
  kind: CommandKind;
  connector: number;
  params: CommandInputs;
}

/** What a command is told beside the connector. `param1` and `param2` mean what the device's model calls them. */
export interface CommandInputs {
  key?: string;
  value?: string;
  param1?: string;
  param2?: string;
  /** the firmware file that the device is to fetch */
  firmwareId?: number;
  /** how it moves; HTTP when nothing is said */
  transport?: Transport;
  logType?: LogType;
  /** the time that a log is to cover (ISO-8601) */
  from?: string;
  to?: string;
  /** the identifier under which a charging session starts; one is generated without it */
  idTag?: string;
  /** the message that the device is to send */
  message?: TriggerMessage;
  /** any message that a CSMS may send, and its payload as the protocol's schema has it */
  action?: string;
  payload?: Readonly<Record<string, unknown>>;
  /** the charging session to end, by its row; found by the connector */
  transactionId?: number;
}

/**
 * Messages that a device can be asked to send (OCPP 1.6 §5.17 and its security extension, OCPP 2.0.1 F06), each by the
 * action that then arrives.
 */
export const TRIGGER_MESSAGES = [
  'BootNotification',
  'Heartbeat',
  'StatusNotification',
  'MeterValues',
  'TransactionEvent',
  'FirmwareStatusNotification',
  'DiagnosticsStatusNotification',
  'LogStatusNotification',
  'SignCertificate',
] as const;
export type TriggerMessage = (typeof TRIGGER_MESSAGES)[number];

/** The messages that a device can be asked to send by its WebSocket subprotocol; all for a device that never connected. */
export function triggerMessagesOf(protocol: string | null): readonly TriggerMessage[] {
  if (protocol === null) return TRIGGER_MESSAGES;
  const foreign = protocol === 'ocpp1.6' ? ['TransactionEvent'] : ['DiagnosticsStatusNotification'];
  return TRIGGER_MESSAGES.filter((message) => !foreign.includes(message));
}

/** How devices fetch firmware and hand in logs. */
export const TRANSPORTS = ['http', 'ftp'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Logs that a device can hand in: what it notes for maintenance, and what it notes of attacks (OCPP 2.0.1 §2.26, LogEnumType). */
export const LOG_TYPES = ['diagnostics', 'security'] as const;
export type LogType = (typeof LOG_TYPES)[number];

/** Every input that a command can have, in the order in which they are checked. */
const FIELDS = [
  'connector',
  'key',
  'value',
  'param1',
  'param2',
  'firmwareId',
  'transport',
  'logType',
  'from',
  'to',
  'idTag',
  'message',
  'action',
  'payload',
] as const;
type Field = (typeof FIELDS)[number];

interface CommandRule {
  /** which right it takes: over the device as such, or over its parameters */
  right: 'control' | 'readParameters' | 'writeParameters' | 'everything';
  /** inputs without which it means nothing */
  needs: readonly Field[];
  /** inputs it can do without */
  admits: readonly Field[];
  /** how long the device has to answer, from the moment it is asked */
  answerMs: number;
  /** offered on devices whose model nobody has described */
  standard: boolean;
  /** may be given to several devices at once */
  batch: boolean;
  /** exists in OCPP only */
  ocpp: boolean;
  /** sent by the product itself, never given as a command */
  internal: boolean;
  /**
   * What the device reports when it has done what it accepted, and for how long that is awaited; null where its answer
   * is the result.
   */
  confirmation: { by: Confirmation; withinMs: number } | null;
}

/** What a device reports after it accepted a command that it carries out later. */
export const CONFIRMATIONS = ['transactionStarted', 'transactionEnded', 'messageReceived'] as const;
export type Confirmation = (typeof CONFIRMATIONS)[number];

/**
 * OCPP leaves the time-out of a CALL to the implementer (OCPP-J 1.6 §4.1.1). 30 s covers a pile on a poor mobile
 * connection; one that is to restart often answers only after it has ended its transactions, and one that is to tell
 * all its parameters sends some tens of kilobytes: both get 60 s.
 */
const QUICK_ANSWER_MS = 30_000;
const LONG_ANSWER_MS = 60_000;

/** A control that every charge point knows, with nothing to be filled in. */
const USUAL: CommandRule = {
  ...{ right: 'control', needs: [], admits: [], answerMs: QUICK_ANSWER_MS, standard: true },
  ...{ batch: true, ocpp: false, internal: false, confirmation: null },
};
/** A control of the maker's own: only where the model speaks of it, with what the model calls its parameters. */
const VENDORS_OWN: CommandRule = { ...USUAL, admits: ['param1', 'param2'], standard: false };

/** A control that only OCPP has a message for. */
const OCPP_ONLY: CommandRule = { ...USUAL, ocpp: true };

/**
 * How long a device may take from its answer to the report. A driver needs time to plug in: ConnectionTimeOut (OCPP 1.6
 * §9.1) and EVConnectionTimeOut (2.0.1) are rarely set above two minutes. An end or a message follows within seconds,
 * or within a minute on a poor mobile connection.
 */
const PLUG_IN_MS = 180_000;
const REPORT_MS = 60_000;

/** What moves a file: the answer says only that it begins. */
const TRANSFER: CommandRule = { ...USUAL, answerMs: LONG_ANSWER_MS };

/** Everything a kind of command asks for, in one table. */
export const COMMAND_RULES: Record<CommandKind, CommandRule> = {
  softReset: { ...USUAL, answerMs: LONG_ANSWER_MS },
  hardReset: { ...USUAL, answerMs: LONG_ANSWER_MS },
  disableSystem: USUAL,
  enableSystem: USUAL,
  disableConnector: { ...USUAL, needs: ['connector'] },
  enableConnector: { ...USUAL, needs: ['connector'] },
  upgradeSoftware: { ...TRANSFER, needs: ['firmwareId'], admits: ['transport'] },
  uploadLog: { ...TRANSFER, needs: ['logType'], admits: ['transport', 'from', 'to'] },
  startVpn: VENDORS_OWN,
  stopVpn: VENDORS_OWN,
  restartCcu: { ...VENDORS_OWN, answerMs: LONG_ANSWER_MS },
  refreshConfiguration: { ...USUAL, right: 'readParameters', answerMs: LONG_ANSWER_MS },
  refreshParameters: { ...USUAL, right: 'readParameters', admits: ['key'], answerMs: LONG_ANSWER_MS },
  updatePlcFirmware: { ...TRANSFER, needs: ['firmwareId'], admits: ['transport'], standard: false },
  setParameter: { ...USUAL, right: 'writeParameters', needs: ['key', 'value'] },
  remoteStart: {
    ...{ ...OCPP_ONLY, needs: ['connector'], admits: ['idTag'], batch: false },
    confirmation: { by: 'transactionStarted', withinMs: PLUG_IN_MS },
  },
  remoteStop: {
    ...{ ...OCPP_ONLY, needs: ['connector'], batch: false },
    confirmation: { by: 'transactionEnded', withinMs: REPORT_MS },
  },
  unlockConnector: { ...OCPP_ONLY, needs: ['connector'], batch: false },
  clearCache: OCPP_ONLY,
  triggerMessage: {
    ...{ ...OCPP_ONLY, needs: ['message'], admits: ['connector'] },
    confirmation: { by: 'messageReceived', withinMs: REPORT_MS },
  },
  // Whatever the protocol has may be said, so whoever says it must hold every right over the device.
  sendMessage: {
    ...OCPP_ONLY,
    right: 'everything',
    needs: ['action', 'payload'],
    answerMs: LONG_ANSWER_MS,
    batch: false,
  },
  // The password of the connection is a parameter with a life of its own (control type 11): it follows the device's
  // record.
  changePassword: { ...OCPP_ONLY, right: 'writeParameters', standard: false, batch: false, internal: true },
};

/** The longest payload of a message that somebody writes, in characters of JSON: frames of stations are rarely longer. */
export const MAX_PAYLOAD_CHARACTERS = 60_000;

/** How many commands may wait for one device; more is a mistake of whoever sends them. */
export const MAX_WAITING_COMMANDS = 20;

/** How long a command waits for its turn, or for a device to come back after our restart: later it would surprise. */
export const QUEUE_TIMEOUT_MS = 120_000;

/** The first input that a kind lacks, or has too much, or null when the inputs fit. An empty value is a value. */
export function unfitField(
  kind: CommandKind,
  inputs: CommandInputs & { connector?: number },
): { field: Field; fault: 'missing' | 'unknown' } | null {
  const { needs, admits } = COMMAND_RULES[kind];
  for (const field of FIELDS) {
    const given = inputs[field] !== undefined;
    if (!given && needs.includes(field)) return { field, fault: 'missing' };
    if (given && !needs.includes(field) && !admits.includes(field)) return { field, fault: 'unknown' };
  }
  return null;
}

/**
 * True when a new command must not join one that is still waiting: the same thing asked twice, two restarts, or two
 * values for one parameter, of which the second could not be compared with what the device then holds.
 */
export function conflicts(waiting: Command, wanted: Command): boolean {
  if (isReset(waiting.kind) && isReset(wanted.kind)) return true;
  const lanes = [transferLane(waiting.kind), transferLane(wanted.kind)];
  if (lanes[0] !== null && lanes[0] === lanes[1]) return true;
  return (
    waiting.kind === wanted.kind &&
    waiting.connector === wanted.connector &&
    waiting.params.message === wanted.params.message &&
    waiting.params.action === wanted.params.action &&
    JSON.stringify(waiting.params.payload) === JSON.stringify(wanted.params.payload) &&
    sameParameterKey(waiting.params.key ?? '', wanted.params.key ?? '')
  );
}

/** What a kind of command moves, so that a device moves one of each at a time; null when it moves nothing. */
export function transferLane(kind: CommandKind): 'firmware' | 'log' | null {
  if (kind === 'upgradeSoftware' || kind === 'updatePlcFirmware') return 'firmware';
  return kind === 'uploadLog' ? 'log' : null;
}

function isReset(kind: CommandKind): boolean {
  return kind === 'softReset' || kind === 'hardReset';
}

/** True when two texts name the same parameter: keys are case-insensitive (OCPP 1.6 §7, CiString50Type). */
export function sameParameterKey(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** A parameter as the device last told it. */
export interface StoredParameter {
  key: string;
  value: string | null;
  readonly: boolean;
}
