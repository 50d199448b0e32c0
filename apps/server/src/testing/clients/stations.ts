import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { inspect } from 'node:util';
import { ENDPOINTS, type NewCommand } from '@chargehand/contract';
import { RPCClient } from 'ocpp-rpc';
import type * as OcppWsIo from 'ocpp-ws-io';
import { expect, onTestFinished } from 'vitest';
import type { Client } from '../client.ts';
import { executionOnce } from '../operations-room.ts';
import type { TestServer } from '../server.ts';
import { seal } from '../sign-in.ts';

// The CommonJS build: the logger it depends on is replaced (package.json, overrides), and logging is off.
const { OCPPClient } = createRequire(import.meta.url)('ocpp-ws-io') as typeof OcppWsIo;

export type Protocol = 'ocpp1.6' | 'ocpp2.0.1' | 'ocpp2.1';
export type Make = 'ocpp-rpc' | 'ocpp-ws-io';

/** Every client library with every version that it supports. */
export const MAKES = [
  ['ocpp-rpc', 'ocpp1.6'],
  ['ocpp-ws-io', 'ocpp1.6'],
  ['ocpp-rpc', 'ocpp2.0.1'],
  ['ocpp-ws-io', 'ocpp2.0.1'],
  ['ocpp-ws-io', 'ocpp2.1'],
] as const satisfies [Make, Protocol][];

type Payload = Record<string, unknown>;
type Answer = (payload: Payload) => object | Promise<object>;

/** A third-party charging station. It validates every message in both directions against its own schemas. */
export interface Station {
  /** the version that it uses with the server */
  protocol: Protocol;
  /** Sends a CALL and resolves with the answer. Rejects on a CALLERROR, and when either violates its schema. */
  call(action: string, payload?: object): Promise<Payload>;
  /** Sends a raw text. */
  sendRaw(frame: unknown): void;
  /**
   * Sets the answer to the server's CALLs of an action. Without an answer the library replies that it is not
   * implemented.
   */
  on(action: string, answer: Answer): void;
  /** The payloads of the server's CALLs that were answered, oldest first. */
  received(action: string): Payload[];
  /**
   * Resolves when the server has sent a number of pings since the connection was opened; rejects when the connection
   * ends before.
   */
  pings(count: number): Promise<void>;
  /** Sends a BootNotification. */
  boot(firmwareVersion?: string): Promise<Payload>;
  /** Reports the status of a connector (in 2.x of EVSE 1 to n, each with one connector). */
  status(word: string, connector?: number): Promise<void>;
  /** Reports the start of a session and returns the station's id of it. */
  startSession(connector?: number, idTag?: string): Promise<number | string>;
  stopSession(transactionId: number | string): Promise<void>;
  /** Breaks the connection without a close frame, as a power cut does. */
  cut(): Promise<void>;
}

/** The current time in the station's format. */
export const now = () => new Date().toISOString();

interface StationOptions {
  make: Make;
  protocols: Protocol[];
  password?: string;
  /** replaces the server's, for stations that use another notation */
  endpoint?: string;
  /** false: answers no WebSocket pings (only supported by ocpp-rpc) */
  answersPings?: boolean;
}

/**
 * Connects a station. At the end of the test its connection is closed, and the test fails if a message was invalid.
 * @throws with the server's refusal
 */
export async function connectStation(server: TestServer, sn: string, options: StationOptions): Promise<Station> {
  const { make, protocols, password, endpoint = server.deviceUrl, answersPings = true } = options;
  const common = { endpoint, identity: sn, protocols, strictMode: true, reconnect: false };
  const client =
    make === 'ocpp-rpc'
      ? rpcClient({
          ...common,
          ...(password === undefined ? {} : { password }),
          // The library's own keepalive is off, because the tests are about the server's.
          ...{ pingIntervalMs: 0, wsOpts: { autoPong: answersPings } },
        })
      : wsIoClient({
          ...{ ...common, pingIntervalMs: 0, logging: false, handlerGraceMs: 0 },
          ...(password === undefined ? {} : { password, securityProfile: 1 }),
        });
  const problems: unknown[] = [];
  for (const fault of ['strictValidationFailure', 'badMessage', 'handlerError'] as const) {
    client.on(fault, (problem) => {
      if (!isUnknownAction(problem)) problems.push(problem);
    });
  }
  const received = new Map<string, Payload[]>();
  let pinged = 0;
  let ended: Error | null = null;
  const waiting: { count: number; resolve(): void; reject(error: Error): void }[] = [];
  await client.connect();
  client.socket().on('ping', () => {
    pinged += 1;
    for (const one of waiting) if (one.count <= pinged) one.resolve();
  });
  client.socket().on('close', (code, reason) => {
    ended = new Error(`The connection of ${sn} ended: ${code} ${reason}`);
    for (const one of waiting) one.reject(ended);
  });
  onTestFinished(async () => {
    await client.cut();
    expect(problems.map(inspected), `what ${make} found wrong`).toEqual([]);
  });
  const protocol = client.protocol();
  const is16 = protocol === 'ocpp1.6';
  const station: Station = {
    protocol,
    call: async (action, payload = {}) => (await client.call(protocol, action, payload)) as Payload,
    sendRaw: (frame) => client.sendRaw(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    on(action, answer) {
      client.handle(protocol, action, (payload) => {
        const all = received.get(action) ?? [];
        received.set(action, [...all, payload]);
        return answer(payload);
      });
    },
    received: (action) => received.get(action) ?? [],
    pings: (count) =>
      new Promise((resolve, reject) => {
        if (pinged >= count) resolve();
        else if (ended) reject(ended);
        else waiting.push({ count, resolve, reject });
      }),
    boot: (firmwareVersion = '9.1') =>
      station.call(
        'BootNotification',
        is16
          ? { chargePointVendor: 'Other', chargePointModel: 'Make', firmwareVersion, meterType: 'M' }
          : { reason: 'PowerUp', chargingStation: { vendorName: 'Other', model: 'Make', firmwareVersion } },
      ),
    async status(word, connector = 1) {
      await station.call(
        'StatusNotification',
        is16
          ? { connectorId: connector, errorCode: 'NoError', status: word, timestamp: now() }
          : { timestamp: now(), connectorStatus: word, evseId: connector, connectorId: 1 },
      );
    },
    async startSession(connector = 1, idTag = 'CARD') {
      if (is16) {
        const start = { connectorId: connector, idTag, meterStart: 100, timestamp: now() };
        return (await station.call('StartTransaction', start)).transactionId as number;
      }
      const transactionId = `tx-${crypto.randomUUID().slice(0, 8)}`;
      await station.call('TransactionEvent', {
        ...{ eventType: 'Started', timestamp: now(), triggerReason: 'Authorized', seqNo: 0 },
        transactionInfo: { transactionId, chargingState: 'Charging' },
        evse: { id: connector, connectorId: 1 },
        idToken: { idToken: idTag, type: 'ISO14443' },
      });
      return transactionId;
    },
    async stopSession(transactionId) {
      if (is16) {
        await station.call('StopTransaction', { transactionId, meterStop: 900, timestamp: now(), reason: 'Local' });
        return;
      }
      await station.call('TransactionEvent', {
        ...{ eventType: 'Ended', timestamp: now(), triggerReason: 'StopAuthorized', seqNo: 9 },
        transactionInfo: { transactionId, stoppedReason: 'Local' },
      });
    },
    cut: client.cut,
  };
  return station;
}

/** The common functions of both libraries. */
interface AnyClient {
  on(
    event: 'strictValidationFailure' | 'badMessage' | 'handlerError' | 'ping',
    listener: (fact?: unknown) => void,
  ): void;
  connect(): Promise<unknown>;
  protocol(): Protocol;
  call(protocol: Protocol, action: string, payload: object): Promise<unknown>;
  handle(protocol: Protocol, action: string, answer: Answer): void;
  sendRaw(frame: string): void;
  /** the underlying WebSocket, which neither library exposes */
  socket(): EventEmitter;
  cut(): Promise<void>;
}

/** A station need not support every action; `ocpp-ws-io` reports its own refusal as an error of a handler. */
function isUnknownAction(problem: unknown): boolean {
  const { error } = problem as { error?: { rpcErrorCode?: string } };
  return error?.rpcErrorCode === 'NotImplemented' || error?.rpcErrorCode === 'NotSupported';
}

function inspected(problem: unknown): string {
  return inspect(problem, { depth: 4, breakLength: 400 });
}

function rpcClient(options: object): AnyClient {
  // The library's types require every option, but its code has a default for each.
  const client = new RPCClient(options as ConstructorParameters<typeof RPCClient>[0]);
  return {
    on: (event, listener) => client.on(event, listener),
    connect: () => client.connect(),
    protocol: () => client.protocol as Protocol,
    call: (_, action, payload) => client.call(action, payload),
    handle: (_, action, answer) =>
      client.handle(action, async ({ params }: { params?: unknown }) => answer(params as Payload)),
    sendRaw: (frame) => client.sendRaw(frame),
    socket: () => (client as unknown as { _ws: EventEmitter })._ws,
    cut: async () => {
      await client.close({ force: true, awaitPending: false, code: 1000, reason: '' });
    },
  };
}

function wsIoClient(options: object): AnyClient {
  const client = new OCPPClient(options as ConstructorParameters<typeof OCPPClient>[0]);
  return {
    on: (event, listener) => client.on(event as 'badMessage', listener),
    connect: () => client.connect(),
    protocol: () => client.protocol as Protocol,
    call: (protocol, action, payload) => client.call(protocol, action as 'Heartbeat', payload as never),
    handle: (protocol, action, answer) =>
      client.handle(protocol, action as 'Reset', ({ params }) => answer(params as never) as never),
    sendRaw: (frame) => client.sendRaw(frame),
    socket: () => (client as unknown as { _ws: EventEmitter })._ws,
    cut: async () => {
      await client.close({ force: true });
    },
  };
}

/** A registered device as users see it: each call uses HTTP. */
export interface Registered {
  id: number;
  sn: string;
  read(): ReturnType<typeof readDevice>;
  /** the status of its connectors by number */
  connectors(): Promise<Record<number, string>>;
  /** its charging sessions, the oldest first */
  sessions(): ReturnType<typeof readSessions>;
  /** its active alarms, the oldest first */
  alarms(): ReturnType<typeof readAlarms>;
  /** the notes of its protocol log, oldest first */
  notes(): Promise<string[]>;
  /** Sends a command; `answered` and `ended` resolve with its execution then. */
  command(
    body: NewCommand,
  ): Promise<{ id: string; answered(): ReturnType<typeof executionOnce>; ended(): ReturnType<typeof executionOnce> }>;
}

let registered = 0;

/** Registers a device at the site `northQuay`, as a customer's administrator does. */
export async function registerDevice(
  server: TestServer,
  person: Client,
  more: { sn?: string; password?: string } = {},
): Promise<Registered> {
  registered += 1;
  const { sn = `STATION-${registered}`, password } = more;
  const { publicKey } = await person.data(ENDPOINTS.publicKey);
  const { id } = await person.data(ENDPOINTS.createDevice, {
    body: {
      ...{ sn, name: `Station ${registered}`, siteId: server.world.sites.northQuay, deviceModelId: server.world.model },
      ...(password === undefined ? {} : { gatewayPassword: seal(publicKey, password) }),
    },
  });
  const params = { id };
  return {
    ...{ id, sn },
    read: () => readDevice(person, id),
    async connectors() {
      const { connectors } = await person.data(ENDPOINTS.readRuntime, { params });
      return Object.fromEntries(connectors.map(({ connector, status }) => [connector, status]));
    },
    sessions: () => readSessions(person, id),
    alarms: () => readAlarms(person, id),
    async notes() {
      const { items } = await person.data(ENDPOINTS.listFrames, { params, query: { limit: 100 } });
      return items.flatMap(({ note }) => (note === null ? [] : [note])).toReversed();
    },
    async command(body) {
      const { id: executionId } = await person.data(ENDPOINTS.sendCommand, { params, body });
      const ended = () => executionOnce(person, id, executionId, ({ state }) => state === 'ended');
      const answered = () =>
        executionOnce(person, id, executionId, ({ state }) => state === 'accepted' || state === 'ended');
      return { id: executionId, answered, ended };
    },
  };
}

const readDevice = (person: Client, id: number) => person.data(ENDPOINTS.readDevice, { params: { id } });
const readSessions = async (person: Client, id: number) =>
  (await person.data(ENDPOINTS.listTransactions, { params: { id } })).items.toReversed();
const readAlarms = async (person: Client, id: number) => {
  const { items } = await person.data(ENDPOINTS.listAlarms, { query: { deviceId: id, limit: 50 } });
  return items.filter(({ clearedAt }) => clearedAt === null).toReversed();
};
