/**
 * The commands, each with its control type: 1 to 11 of spec §9, 12 and higher are defined by this product. Types 3 and
 * 4 have a command for each direction (disable and enable). Types 9 and 10 have the meaning that the device model
 * selects.
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
  updateTokenList: 18,
  changePassword: 11,
} as const;
export type CommandKind = keyof typeof COMMAND_KINDS;

/** A command to one device. Connector 0 is the device itself. */
export interface Command {
  kind: CommandKind;
  connector: number;
  params: CommandInputs;
}

/**
 * The inputs of a command in addition to the connector. The device's model defines the names of `param1` and `param2`.
 */
export interface CommandInputs {
  key?: string;
  value?: string;
  param1?: string;
  param2?: string;
  /** the firmware file that the device should download */
  firmwareId?: number;
  /** when an upgrade is sent; default now */
  start?: UpgradeStart;
  /** for start `at` (ISO-8601) */
  startAt?: string;
  /** how long an upgrade may then wait until the device is idle */
  startWithinMinutes?: number;
  /** the transfer protocol; default HTTP */
  transport?: Transport;
  logType?: LogType;
  /** the period that a log should cover (ISO-8601) */
  from?: string;
  to?: string;
  /** the id token of a charging session; generated when omitted */
  idTag?: string;
  /** its type, if the list of the customer has it */
  idTokenType?: string;
  /** the message that the device should send */
  message?: TriggerMessage;
  /** any message that a CSMS may send, and its payload as defined by the protocol's schema */
  action?: string;
  payload?: Readonly<Record<string, unknown>>;
  /** the row of the charging session to end; determined from the connector */
  transactionId?: number;
}

/**
 * Messages that a device can be requested to send (OCPP 1.6 §5.17 and its security extension, OCPP 2.0.1 F06), each
 * with the action that the device then sends.
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

/**
 * The messages that a device can be requested to send, by its WebSocket subprotocol; all of them for a device that
 * never connected.
 */
export function triggerMessagesOf(protocol: string | null): readonly TriggerMessage[] {
  if (protocol === null) return TRIGGER_MESSAGES;
  const foreign = protocol === 'ocpp1.6' ? ['TransactionEvent'] : ['DiagnosticsStatusNotification'];
  return TRIGGER_MESSAGES.filter((message) => !foreign.includes(message));
}

/**
 * When an upgrade is sent: `now`, as soon as no vehicle is charging, or from a time on as soon as no vehicle is charging.
 */
export const UPGRADE_STARTS = ['now', 'whenIdle', 'at'] as const;
export type UpgradeStart = (typeof UPGRADE_STARTS)[number];

/** How devices download firmware and upload logs. */
export const TRANSPORTS = ['http', 'ftp'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Logs that a device can upload: the diagnostics log and the security log (OCPP 2.0.1 §2.26, LogEnumType). */
export const LOG_TYPES = ['diagnostics', 'security'] as const;
export type LogType = (typeof LOG_TYPES)[number];

/** All inputs of commands, in the order in which they are checked. */
const FIELDS = [
  'connector',
  'key',
  'value',
  'param1',
  'param2',
  'firmwareId',
  'start',
  'startAt',
  'startWithinMinutes',
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
  /** the required right: on the device as a whole, or on its parameters */
  right: 'control' | 'readParameters' | 'writeParameters' | 'everything';
  /** required inputs */
  needs: readonly Field[];
  /** optional inputs */
  admits: readonly Field[];
  /** timeout for the response, from the moment the command is sent */
  answerMs: number;
  /** available on devices whose model has no description */
  standard: boolean;
  /** may be sent to several devices at once */
  batch: boolean;
  /** exists in OCPP only */
  ocpp: boolean;
  /** sent by the module that it belongs to, never as a plain command or in a batch */
  internal: boolean;
  /**
   * The report that a device sends when it has done what it accepted, and the timeout for it (ms). `onlyScheduled`:
   * only if the device responded that it runs the command later. Null: the response is the result.
   */
  confirmation: { by: Confirmation; withinMs: number; onlyScheduled?: boolean } | null;
}

/** Reports that a device sends after it has accepted a command that it carries out later. */
export const CONFIRMATIONS = [
  'transactionStarted',
  'transactionEnded',
  'messageReceived',
  'restarted',
  'availabilityChanged',
  'linkOpened',
] as const;
export type Confirmation = (typeof CONFIRMATIONS)[number];

/**
 * OCPP leaves the timeout of a CALL to the implementer (OCPP-J 1.6 §4.1.1). 30 s is enough for a pile with a poor
 * mobile connection. Two cases get 60 s: a device that restarts often responds only after it has ended its
 * transactions, and a device that reports all its parameters sends tens of kilobytes.
 */
const QUICK_ANSWER_MS = 30_000;
const LONG_ANSWER_MS = 60_000;

/** A control that every charge point supports, without inputs. */
const USUAL: CommandRule = {
  ...{ right: 'control', needs: [], admits: [], answerMs: QUICK_ANSWER_MS, standard: true },
  ...{ batch: true, ocpp: false, internal: false, confirmation: null },
};

/** A control that exists only in OCPP. */
const OCPP_ONLY: CommandRule = { ...USUAL, ocpp: true };

/**
 * Timeout between the response of a device and its report. A driver needs time to plug in: ConnectionTimeOut (OCPP 1.6
 * §9.1) and EVConnectionTimeOut (2.0.1) are rarely above two minutes. The end of a session or a triggered message
 * follows within seconds, or within a minute on a poor mobile connection.
 */
const PLUG_IN_MS = 180_000;
const REPORT_MS = 60_000;
/**
 * A pile restarts within one to two minutes. Ten minutes cover a pile that first ends its sessions and checks its file
 * system.
 */
const RESTART_MS = 10 * 60_000;
/** A command that a device runs after the vehicle has left may wait until the next day. */
const SCHEDULED_MS = 24 * 60 * 60_000;

/** A control that restarts the device. */
const RESTART: CommandRule = {
  ...USUAL,
  answerMs: LONG_ANSWER_MS,
  confirmation: { by: 'restarted', withinMs: RESTART_MS },
};
/** A change of availability: the response is the result, unless a session must end first (OCPP 1.6 §5.2, 2.0.1 G03). */
const AVAILABILITY: CommandRule = {
  ...USUAL,
  confirmation: { by: 'availabilityChanged', withinMs: SCHEDULED_MS, onlyScheduled: true },
};

/** Controls 7 and 8: only sent for a link, which adds their parameters. */
const OF_LINKS: CommandRule = { ...USUAL, standard: false, batch: false, internal: true };
/** A ticket is valid for two minutes (`TICKET_SECONDS`); the device connects within this time or not at all. */
const LINK_MS = 150_000;

/** File transfers: the response only confirms the start. */
const TRANSFER: CommandRule = { ...USUAL, answerMs: LONG_ANSWER_MS };
const UPGRADE: CommandRule = {
  ...TRANSFER,
  needs: ['firmwareId'],
  admits: ['transport', 'start', 'startAt', 'startWithinMinutes'],
};

/** The rules of all kinds of commands. */
export const COMMAND_RULES: Record<CommandKind, CommandRule> = {
  softReset: RESTART,
  hardReset: RESTART,
  disableSystem: AVAILABILITY,
  enableSystem: AVAILABILITY,
  disableConnector: { ...AVAILABILITY, needs: ['connector'] },
  enableConnector: { ...AVAILABILITY, needs: ['connector'] },
  upgradeSoftware: UPGRADE,
  uploadLog: { ...TRANSFER, needs: ['logType'], admits: ['transport', 'from', 'to'] },
  startVpn: { ...OF_LINKS, confirmation: { by: 'linkOpened', withinMs: LINK_MS } },
  stopVpn: OF_LINKS,
  restartCcu: { ...RESTART, admits: ['param1', 'param2'], standard: false },
  refreshConfiguration: { ...USUAL, right: 'readParameters', answerMs: LONG_ANSWER_MS },
  refreshParameters: { ...USUAL, right: 'readParameters', admits: ['key'], answerMs: LONG_ANSWER_MS },
  updatePlcFirmware: { ...UPGRADE, standard: false },
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
  // Any message of the protocol can be sent, so the caller needs every right on the device.
  sendMessage: {
    ...OCPP_ONLY,
    right: 'everything',
    needs: ['action', 'payload'],
    answerMs: LONG_ANSWER_MS,
    batch: false,
  },
  // Messages about the local list of a device (OCPP 1.6 §5.15), sent only to keep it equal.
  updateTokenList: { ...OCPP_ONLY, answerMs: LONG_ANSWER_MS, standard: false, batch: false, internal: true },
  // The connection password is a special parameter (control type 11): it changes together with the device's record.
  changePassword: { ...OCPP_ONLY, right: 'writeParameters', standard: false, batch: false, internal: true },
};

/**
 * What an accepted command waits for, and for how long (ms); null if the response is the result. A device that responds
 * with `scheduled` runs the command when its sessions have ended.
 */
export function confirmationAfter(kind: CommandKind, answer: string): { by: Confirmation; withinMs: number } | null {
  const { confirmation } = COMMAND_RULES[kind];
  if (confirmation === null || answer === confirmation.by) return null;
  const { by, withinMs, onlyScheduled = false } = confirmation;
  if (answer === 'scheduled') return { by, withinMs: Math.max(withinMs, SCHEDULED_MS) };
  return onlyScheduled ? null : { by, withinMs };
}

/** The longest payload of a message that somebody writes, in characters of JSON: frames of stations are rarely longer. */
export const MAX_PAYLOAD_CHARACTERS = 60_000;

/** Maximum number of commands waiting for one device. More indicates a mistake of the sender. */
export const MAX_WAITING_COMMANDS = 20;

/**
 * How long a command waits to be sent, or for a device to reconnect after a restart of the server. A later execution
 * would be unexpected.
 */
export const QUEUE_TIMEOUT_MS = 120_000;

/**
 * The first input that a kind of command lacks or does not support, or null when the inputs are valid. An empty value
 * counts as present.
 */
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
 * True when a new command conflicts with a waiting one: the same command twice, two restarts, or two values for one
 * parameter, because the second could not be compared with the value that the device then has.
 */
export function conflicts(waiting: Command, wanted: Command): boolean {
  // A device may have several links.
  if (wanted.kind === 'startVpn' || wanted.kind === 'stopVpn') return false;
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

/**
 * The kind of file that a command transfers; a device transfers one file of each kind at a time. Null when it transfers
 * nothing.
 */
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

/** A parameter with the value that the device reported last. */
export interface StoredParameter {
  key: string;
  value: string | null;
  readonly: boolean;
}
