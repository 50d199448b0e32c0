/**
 * What can be asked of a device, each with its control type of spec §9. Types 3 and 4 carry both directions
 * (disable and enable); 9 and 10 carry the reading the device model chose.
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
] as const;
type Field = (typeof FIELDS)[number];

interface CommandRule {
  /** which right it takes: over the device as such, or over its parameters */
  right: 'control' | 'readParameters' | 'writeParameters';
  /** inputs without which it means nothing */
  needs: readonly Field[];
  /** inputs it can do without */
  admits: readonly Field[];
  /** how long the device has to answer, from the moment it is asked */
  answerMs: number;
  /** offered on devices whose model nobody has described */
  standard: boolean;
}

/**
 * OCPP leaves the time-out of a CALL to the implementer (OCPP-J 1.6 §4.1.1). 30 s covers a pile on a poor mobile line;
 * one that is to restart often answers only after it has ended its transactions, and one that is to tell all its
 * parameters sends some tens of kilobytes: both get 60 s.
 */
const QUICK_ANSWER_MS = 30_000;
const LONG_ANSWER_MS = 60_000;

/** A control that every charge point knows, with nothing to be filled in. */
const USUAL: CommandRule = {
  ...{ right: 'control', needs: [], admits: [], answerMs: QUICK_ANSWER_MS, standard: true },
};
/** A control of the maker's own: only where the model speaks of it, with what the model calls its parameters. */
const VENDORS_OWN: CommandRule = { ...USUAL, admits: ['param1', 'param2'], standard: false };

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
};

/** How many commands may wait for one device; more is a mistake of whoever sends them. */
export const MAX_WAITING_COMMANDS = 20;

/** How long a command waits for its turn, or for a device to come back after our restart: later it would surprise. */
export const QUEUE_PATIENCE_MS = 120_000;

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
