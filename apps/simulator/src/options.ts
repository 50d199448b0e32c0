import { parseArgs } from 'node:util';
import type { FleetOptions } from './fleet.ts';
import type { ReplayOptions } from './replay/replayed-device.ts';
import type { StorageFleetOptions } from './storage/storage-fleet.ts';

/** The parsed command line. */
export type CommandLine =
  | { help: true }
  /** the file of a recording, and how to replay it */
  | { help: false; replay: string; options: ReplayOptions }
  | {
      help: false;
      replay: null;
      quiet: boolean;
      resume: boolean;
      fleet: FleetOptions;
      storage: StorageFleetOptions | null;
    };

/** An invalid command line. The message names the error and the fix. */
export class UsageError extends Error {}

/** Reads the arguments (without the program's name). Throws UsageError. */
export function readCommandLine(args: string[]): CommandLine {
  const given = parse(args);
  if (given.help === true) return { help: true };
  const text = (name: string): string | undefined => {
    const value = given[name];
    return typeof value === 'string' ? value : undefined;
  };
  const number = (name: string, low: number, high: number): number | undefined => {
    const value = text(name);
    return value === undefined ? undefined : readNumber(name, value, low, high);
  };
  const url = text('url') ?? '';
  if (!/^wss?:\/\/[^/]+/.test(url)) throw new UsageError(`--url ${url}: must be a ws:// or wss:// address`);
  const recording = text('replay');
  if (recording !== undefined) {
    return {
      ...{ help: false, replay: recording },
      options: {
        ...{ url, mqtt: readMqtt(text('mqtt')), password: storagePassword(text('password')) },
        ...{ speed: number('speed', 0.01, 10_000) ?? 1, sns: readSns(text('replay-sn')) },
        ...{ keepTimes: given['keep-times'] === true, insecure: given.insecure === true },
      },
    };
  }
  const storage = readStorage({ text, number, insecure: given.insecure === true });
  return {
    help: false,
    replay: null,
    quiet: given.quiet === true,
    resume: given.resume === true,
    fleet: {
      url,
      // A fleet may consist of storage units only.
      devices: Math.round(number('devices', storage ? 0 : 1, 99_999) ?? 1),
      prefix: text('prefix'),
      seed: text('seed'),
      ocpp201: number('ocpp201', 0, 1),
      ocpp21: number('ocpp21', 0, 1),
      password: text('password'),
      connectRate: number('connect-rate', 0.1, 100_000),
      heartbeat: number('heartbeat', 1, 86_400),
      meterInterval: number('meter-interval', 0, 86_400),
      sessionEvery: number('session-every', 0, 1e6),
      faultEvery: number('fault-every', 0, 1e6),
      disconnectEvery: number('disconnect-every', 0, 1e6),
      slowAnswers: readSlowAnswers(text('slow-answers')),
      refuseShare: number('refuse', 0, 1),
      speed: number('speed', 0.01, 10_000),
      renewCertificates: given['renew-certificates'] === true,
      ca: text('ca'),
      insecure: given.insecure === true,
    },
    storage,
  };
}

/**
 * The environment variable for the password of storage units. Every process of the machine could read it on a command
 * line.
 */
const STORAGE_PASSWORD = 'SIMULATOR_STORAGE_PASSWORD';

function readStorage(given: {
  text(name: string): string | undefined;
  number(name: string, low: number, high: number): number | undefined;
  insecure: boolean;
}): StorageFleetOptions | null {
  const { text, number, insecure } = given;
  const units = Math.round(number('storage', 0, 99_999) ?? 0);
  if (units === 0) return null;
  const url = readMqtt(text('mqtt'));
  const password = storagePassword(text('password'));
  if (password === undefined)
    throw new UsageError(`--storage requires --password or ${STORAGE_PASSWORD} in the environment`);
  return {
    ...{ url, units, password, insecure, prefix: text('storage-prefix') ?? 'ESS', seed: text('seed') ?? '1' },
    speed: number('speed', 0.01, 10_000) ?? 1,
    json: Math.round(number('storage-json', 0, 99_999) ?? 0),
    faultEvery: number('fault-every', 0, 1e6) ?? 0,
    disconnectEvery: number('disconnect-every', 0, 1e6) ?? 0,
  };
}

function readMqtt(url = ''): string {
  if (!/^(mqtts?|wss?):\/\/[^/]+/.test(url))
    throw new UsageError(`--mqtt ${url}: must be an mqtt:// or mqtts:// address`);
  return url;
}

function storagePassword(given: string | undefined): string | undefined {
  return process.env[STORAGE_PASSWORD] || given;
}

/** Reads `OLD=NEW,OLD=NEW`. */
function readSns(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [recorded = '', now = '', ...rest] = pair.split('=');
      if (recorded === '' || now === '' || rest.length > 0)
        throw new UsageError(`--replay-sn ${text}: must be OLD=NEW, several separated by commas`);
      return [recorded, now];
    }),
  );
}

/** The text that `--help` prints. */
export function helpText(): string {
  const rows = OPTIONS.map(({ name, value, initial, help }) => {
    const left = `  --${name}${value === null ? '' : ` ${value}`}`;
    return `${left.padEnd(32)}${help}${initial === undefined ? '' : ` [${initial}]`}`;
  });
  return [
    'Connects simulated charge points (OCPP 1.6J and 2.0.1) to a central system.',
    '',
    'Options:',
    ...rows,
    '',
  ].join('\n');
}

interface Option {
  name: string;
  /** The placeholder of its value in the help text; null: no value. */
  value: string | null;
  initial?: string;
  help: string;
}

const OPTIONS: readonly Option[] = [
  { name: 'url', value: 'URL', initial: 'ws://127.0.0.1:8080/ocpp', help: 'central system, without the SN' },
  { name: 'devices', value: 'N', initial: '10', help: 'number of charge points' },
  { name: 'prefix', value: 'TEXT', initial: 'SIM', help: 'prefix of the SNs, as in SIM00001' },
  { name: 'seed', value: 'TEXT', initial: '1', help: 'the same seed gives the same fleet and behavior' },
  { name: 'ocpp201', value: 'SHARE', initial: '0', help: 'share of charge points with OCPP 2.0.1' },
  { name: 'ocpp21', value: 'SHARE', initial: '0', help: 'share of charge points with OCPP 2.1' },
  { name: 'password', value: 'TEXT', help: 'basic authentication; the user is the SN' },
  { name: 'connect-rate', value: 'N', initial: '1000', help: 'connections started per second' },
  { name: 'heartbeat', value: 'SECONDS', help: 'overrides the interval of the central system' },
  { name: 'meter-interval', value: 'SECONDS', initial: '60', help: 'MeterValueSampleInterval; 0: no samples' },
  {
    name: 'session-every',
    value: 'MINUTES',
    initial: '30',
    help: 'mean time between sessions on a connector; 0: never',
  },
  { name: 'fault-every', value: 'MINUTES', initial: '240', help: 'mean time between faults; 0: never' },
  { name: 'disconnect-every', value: 'MINUTES', initial: '360', help: 'mean time between lost connections; 0: never' },
  {
    name: 'slow-answers',
    value: 'SHARE[:MS]',
    initial: '0:5000',
    help: 'share of late responses, and their maximum delay',
  },
  { name: 'refuse', value: 'SHARE', initial: '0', help: 'share of rejected calls' },
  {
    name: 'speed',
    value: 'FACTOR',
    initial: '1',
    help: 'speed of vehicles, faults and restarts; 1: real time',
  },
  { name: 'storage', value: 'N', initial: '0', help: 'number of storage units (Sparkplug B over MQTT)' },
  { name: 'storage-json', value: 'N', initial: '0', help: 'how many of them send plain JSON over MQTT' },
  {
    name: 'mqtt',
    value: 'URL',
    initial: 'mqtt://127.0.0.1:1883',
    help: 'broker of storage units; their user name is the SN',
  },
  { name: 'storage-prefix', value: 'TEXT', initial: 'ESS', help: 'prefix of their SNs, as in ESS00001' },
  { name: 'replay', value: 'FILE', help: 'send the frames of an exported protocol log instead, and compare responses' },
  { name: 'replay-sn', value: 'OLD=NEW', help: 'other SNs for recorded ones, separated by commas' },
  { name: 'keep-times', value: null, help: 'replay messages with their recorded times' },
  { name: 'renew-certificates', value: null, help: 'each requests a certificate after it has booted' },
  { name: 'ca', value: 'FILE', help: 'certificate authority of a wss:// central system' },
  { name: 'insecure', value: null, help: 'accept any certificate' },
  { name: 'resume', value: null, help: 'continue with the state that standard input has as JSON' },
  { name: 'quiet', value: null, help: 'no status line' },
  { name: 'help', value: null, help: 'show this help' },
];

function parse(args: string[]): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries(
    OPTIONS.map(({ name, value, initial }) => [
      name,
      value === null ? { type: 'boolean' as const } : { type: 'string' as const, default: initial },
    ]),
  );
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values as Record<
      string,
      string | boolean
    >;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readNumber(name: string, text: string, low: number, high: number): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= low && value <= high)) {
    throw new UsageError(`--${name} ${text}: must be a number from ${low} to ${high}`);
  }
  return value;
}

function readSlowAnswers(text: string | undefined): FleetOptions['slowAnswers'] {
  const [share = '', ms = '5000', ...rest] = (text ?? '').split(':');
  if (rest.length > 0) throw new UsageError(`--slow-answers ${text}: must be SHARE or SHARE:MS, such as 0.1:8000`);
  return { share: readNumber('slow-answers', share, 0, 1), maxMs: readNumber('slow-answers', ms, 0, 600_000) };
}
