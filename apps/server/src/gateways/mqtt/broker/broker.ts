import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import type { AttemptReason } from '@chargehand/contract';
import type { DisconnectReason } from '@chargehand/domain';
import { fitsMqttTopic, isSn } from '@chargehand/domain';
import { Aedes, type AuthenticateError, type Client } from 'aedes';
import { writeToStream } from 'mqtt-packet';
import { pause } from '../../../platform/clock.ts';
import { addressGroup } from '../../../platform/guess-limit.ts';
import type { ConnectionAttempt } from '../../../ports/devices/connection-attempts.ts';
import type { KnownDevice } from '../../../ports/devices/device-directory.ts';
import { fitsDevicePassword } from '../../../ports/devices/device-password.ts';
import { addressLimit, isLastAddress } from '../../ocpp/admission/address-limit.ts';
import { frameEvent } from '../../ocpp/frame-event.ts';
import type { Downlink } from '../command-encoder.ts';
import { DeviceConnection } from '../connection.ts';
import { Plain, plainEncoder } from '../json/plain.ts';
import { Edge } from '../sparkplug/edge.ts';
import { isOwnTopic, maySubscribe, PLAIN, readTopic, stateTopic } from '../topics.ts';
import { GuardedConnection } from './guarded-connection.ts';
import type { Host } from './host.ts';

export interface BrokerOptions {
  hostId: string;
  /** maximum packet length */
  messageBytes: number;
  /** maximum number of open connections */
  connections: number;
}

/** The embedded broker. */
export interface Broker {
  /** Accepts a connection from `address`. */
  accept(socket: Duplex, address: string): void;
  publish(message: Downlink): Promise<boolean>;
  stop(): Promise<void>;
}

// Otherwise the first packet creates a buffer for each of the 65,536 numbers: 12 MB.
(writeToStream as { cacheNumbers?: boolean }).cacheNumbers = false;

/** CONNACK return codes of MQTT 3.1.1 §3.2.2.3. */
const UNAVAILABLE = 3;
const BAD_PASSWORD = 4;
const NOT_AUTHORISED = 5;

/** A connection. `named` is called once, when the device is known or when the connection ends before that. */
type Anonymous = GuardedConnection & { address: string; named: (() => void) | null };

/**
 * The share of all places for connections of one address that have not sent CONNECT. A fleet behind one address can
 * reconnect at once, and other addresses still find room.
 */
const ANONYMOUS_SHARE = 0.5;

/** A device and its connection. */
interface Guest {
  connection: DeviceConnection;
  edges: Map<string, Edge>;
  plain: Plain | null;
  /** when a refused message or subscription was last noted for a topic */
  rejected: Map<string, number>;
}

/** The topic of refused messages. No client may subscribe to it. */
const REJECTED = '$rejected';
const REJECTED_EVERY_MS = 60_000;
/** A connection gets no more notes of refused topics in that time. */
const MOST_REJECTED = 100;

/** The maximum number of groups in which one device may be an edge node. One is the normal number. */
const MOST_EDGES = 4;
const MOST_SUBSCRIPTIONS = 20;
/** The time in which the broker publishes the will of a lost connection. */
const WILL_MS = 500;

/**
 * Runs the broker: decides who may connect and which topics they may use. Messages are acknowledged after they are
 * stored.
 */
export async function embeddedBroker(host: Host, options: BrokerOptions): Promise<Broker> {
  const unknownAddresses = addressLimit();
  /** connections without CONNECT, by address */
  const anonymous = new Map<string, number>();
  const guests = new Map<Client, Guest>();
  const wills = new WeakMap<Client, string>();
  const protocols = new WeakMap<Client, string>();
  let open = 0;
  let stopping = false;

  const aedes = await Aedes.createBroker({
    maxClientsIdLength: 256,
    // Messages are handled here. The broker keeps no messages for offline devices.
    preConnect(client, packet, callback) {
      packet.clean = true;
      protocols.set(client, packet.protocolVersion === 3 ? 'mqtt3.1' : 'mqtt3.1.1');
      if (packet.will) {
        wills.set(client, packet.will.topic);
        packet.will.retain = false;
      }
      callback(null, true);
    },
    authenticate(client, username, password, callback) {
      admit(client, username, password).then(
        (refusal) => (refusal === null ? callback(null, true) : callback(refusal, false)),
        (error) => {
          host.log.warn({ err: error }, 'an MQTT connection failed');
          callback(refused(UNAVAILABLE, 'not available; try again later'), false);
        },
      );
    },
    authorizeSubscribe(client, subscription, callback) {
      const guest = guests.get(client);
      const { topic } = subscription;
      const known = Object.keys((client as Client & { subscriptions?: object }).subscriptions ?? {}).length;
      const allowed = guest && maySubscribe(topic, guest.connection.subject.device.sn) && known < MOST_SUBSCRIPTIONS;
      // A device that subscribes to plain commands receives plain commands.
      if (allowed && topic.startsWith(`${PLAIN}/`) && !topic.endsWith('/error') && !guest.connection.acceptsCommands) {
        guest.connection.acceptCommands(plainEncoder(guest.connection.subject.device.sn));
      }
      if (guest && !allowed) crossed(guest, 'subscribe', topic);
      callback(null, allowed ? subscription : null);
    },
    // The broker sends PUBACK or PUBREC after this callback. It closes the connection if the callback has an error.
    authorizePublish(client, packet, callback) {
      const guest = client && guests.get(client);
      if (!guest) return callback(new Error('nobody is there'));
      packet.retain = false;
      if (!ownTopic(guest, packet.topic)) {
        // MQTT 3.1.1 has no negative acknowledgement (§3.3.5). Without an acknowledgement the client would send the
        // message again forever.
        crossed(guest, 'publish', packet.topic);
        packet.topic = REJECTED;
        packet.payload = Buffer.alloc(0);
        return callback(null);
      }
      const bytes = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload);
      take(guest, packet.topic, bytes, packet.qos > 0).then(
        () => callback(null),
        (error: Error) => callback(error),
      );
    },
  });

  /** Decides whether a client may connect. Returns null if it may. */
  const admit = async (client: Client, username: string | undefined, password: Buffer | undefined) => {
    const connection = client.conn as Anonymous;
    const { address } = connection;
    const protocol = protocols.get(client) ?? 'mqtt3.1.1';
    const sn = username ?? '';
    const refuse = (code: number, reason: AttemptReason, detail: string, more: Partial<ConnectionAttempt> = {}) => {
      host.measures.refused.inc({ reason });
      const attempt = { gateway: 'mqtt' as const, remoteAddress: address, target: sn, protocols: protocol };
      host.attempts.record({ ...attempt, reason, deviceId: null, ...more });
      return refused(code, detail);
    };
    if (stopping) return refused(UNAVAILABLE, 'the server is stopping');
    const device = await host.directory.find(sn);
    if (!device) {
      const admits = unknownAddresses.admits(address, host.clock.now().getTime());
      unknownAddresses.refused(address, host.clock.now().getTime());
      if (!admits) return refuse(UNAVAILABLE, 'throttled', 'too many refused connections', { target: '*' });
      if (!isSn(sn)) return refuse(NOT_AUTHORISED, 'path', 'the user name is not an SN');
      host.unknown(sn, address, protocol, client.id);
      return refuse(NOT_AUTHORISED, 'unknown', `no device ${sn} is registered`);
    }
    const { deviceId } = device;
    const check = host.guesses.check(address, device.sn, isLastAddress(device, address), host.clock.now().getTime());
    if (!check) return refuse(UNAVAILABLE, 'throttled', 'too many refused connections; try again later', { deviceId });
    if (check.delayMs > 0) await pause(host.clock, check.delayMs);
    const refusal = refusalOf(device, password, wills.get(client));
    if (refusal) {
      recordRefusal(device, `refused (${refusal.code}) from ${address}: ${refusal.detail}`);
      return refuse(refusal.code, refusal.reason, refusal.detail, { deviceId });
    }
    check.right();
    if (connection.destroyed) return refused(UNAVAILABLE, 'the connection was closed');
    connection.named?.();
    connection.named = null;
    welcome(client, connection, device, protocol, address);
    return null;
  };

  const welcome = (
    client: Client,
    connection: GuardedConnection,
    device: KnownDevice,
    protocol: string,
    remoteAddress: string,
  ) => {
    const subject = host.subjectOf(device);
    const close = () => client.close();
    // The newest connection of a device ends the previous one. A client ID of another client takes over no session.
    const deviceConnection = new DeviceConnection(host, subject, { protocol, remoteAddress, owner: client, close });
    Object.assign(client, { id: `${device.sn}/${deviceConnection.connectionId}` });
    const guest: Guest = { connection: deviceConnection, edges: new Map(), plain: null, rejected: new Map() };
    guests.set(client, guest);
    connection.once('close', () => leave(client, guest, connection));
    checkRegistration(device, deviceConnection).catch((error) =>
      host.log.warn({ err: error, sn: device.sn }, 'a new connection was not checked again'),
    );
  };

  /** Disabling a device ends the connections that are registered. This ends one that was accepted at the same time. */
  const checkRegistration = async (device: KnownDevice, connection: DeviceConnection) => {
    const now = await host.directory.find(device.sn);
    if (!now?.enabled || now.deviceId !== device.deviceId || now.passwordHash !== device.passwordHash) {
      connection.end('authRejected', 'the device was disabled, removed or given another password');
    }
  };

  const leave = (client: Client, guest: Guest, connection: GuardedConnection) => {
    const { reason, detail } = endOf(connection, problems.get(client) ?? null);
    guest.connection.end(reason, detail);
    // The broker delivers the will after the connection has ended.
    host.clock.after(WILL_MS, () => {
      guests.delete(client);
      forgetEdges(guest, detail).catch((error) =>
        host.log.warn({ err: error }, 'the end of an edge node could not be stored'),
      );
    });
  };

  const forgetEdges = async ({ edges }: Guest, detail: string) => {
    await Promise.all([...edges.values()].map((edge) => edge.lost(detail)));
  };

  const take = async (guest: Guest, topic: string, bytes: Buffer, acknowledged: boolean): Promise<void> => {
    const { connection } = guest;
    const { sn } = connection.subject.device;
    const word = ownTopic(guest, topic);
    if (!word) throw new Error(`${topic.slice(0, 100)} is not a topic of ${sn}`);
    const arrival = {
      bytes,
      receivedAt: host.clock.now(),
      acknowledged,
      connection: connection,
      remoteAddress: connection.remoteAddress,
    };
    if (word.family === 'json') {
      guest.plain ??= new Plain(host);
      return guest.plain.receive({ ...arrival, sn, leaf: word.leaf });
    }
    const key = word.group;
    let edge = guest.edges.get(key);
    if (!edge) {
      edge = new Edge(host, word.group, sn);
      guest.edges.set(key, edge);
    }
    return edge.receive({ ...arrival, type: word.type, device: word.device });
  };

  /** The topic of a message, if the device may publish to it. A device may not exceed the maximum number of groups. */
  const ownTopic = ({ connection, edges }: Guest, topic: string) => {
    const word = readTopic(topic);
    if (!word || !isOwnTopic(word, connection.subject.device.sn)) return null;
    const further = word.family === 'sparkplug' && !edges.has(word.group) && edges.size >= MOST_EDGES;
    return further ? null : word;
  };

  const crossed = ({ connection, rejected }: Guest, verb: 'publish' | 'subscribe', topic: string) => {
    host.measures.crossed.inc({ verb });
    // A misconfigured device repeats its message every second. Log it once a minute.
    const now = host.clock.now().getTime();
    const key = `${verb} ${topic}`;
    if (now - (rejected.get(key) ?? 0) < REJECTED_EVERY_MS) return;
    if (rejected.size >= MOST_REJECTED) {
      for (const [former, at] of rejected) if (now - at >= REJECTED_EVERY_MS) rejected.delete(former);
      if (rejected.size >= MOST_REJECTED) return;
    }
    rejected.set(key, now);
    const note = `refused: ${verb} in ${topic.slice(0, 200)}, which is not a topic of this device`;
    void connection.record([connection.frame('receive', host.clock.now(), { action: verb.toUpperCase(), note })]);
  };

  /** Record refused attempts of known devices in their protocol log, where operators look first. */
  const recordRefusal = (device: KnownDevice, note: string) => {
    host.sink
      .submit(device.deviceId, [frameEvent(null, 'close', host.clock.now(), { note })])
      .catch((error) => host.log.warn({ err: error, sn: device.sn }, 'a refused connection is not stored'));
  };

  const problems = new WeakMap<Client, End>();
  aedes.on('keepaliveTimeout', (client) => {
    problems.set(client, { reason: 'networkTimeout', detail: 'no packet within one and a half keepalive intervals' });
  });
  aedes.on('clientError', (client, error) => {
    // System errors are network errors. Every other error is a protocol violation of the device.
    const { code } = error as NodeJS.ErrnoException;
    if (problems.has(client) || typeof code === 'string') return;
    problems.set(client, { reason: 'loggedOut', detail: error.message.slice(0, 200) });
  });
  // An error before CONNECT belongs to no device.
  aedes.on('connectionError', (client, error) => {
    host.log.debug({ err: error }, 'an MQTT connection failed');
    const { address, named } = client.conn as Anonymous;
    if (typeof (error as NodeJS.ErrnoException).code === 'string' || named === null) return;
    const attempt = { gateway: 'mqtt' as const, remoteAddress: address, target: '*', protocols: null };
    host.attempts.record({ ...attempt, reason: 'malformed', deviceId: null });
  });

  const publishState = (online: boolean) =>
    new Promise<void>((resolve) => {
      const payload = Buffer.from(JSON.stringify({ online, timestamp: host.clock.now().getTime() }));
      const packet = { cmd: 'publish' as const, topic: stateTopic(options.hostId), payload, qos: 1 as const };
      aedes.publish({ ...packet, retain: true, dup: false }, () => resolve());
    });
  await publishState(true);

  return {
    accept(socket, address) {
      const from = addressGroup(address);
      const unnamed = anonymous.get(from) ?? 0;
      if (stopping || open >= options.connections || unnamed >= options.connections * ANONYMOUS_SHARE) {
        host.measures.refused.inc({ reason: 'full' });
        if (!stopping) {
          const attempt = { gateway: 'mqtt' as const, remoteAddress: address, target: '*', protocols: null };
          host.attempts.record({ ...attempt, reason: 'full', deviceId: null });
        }
        socket.destroy();
        return;
      }
      open += 1;
      anonymous.set(from, unnamed + 1);
      host.measures.connections.set(open);
      const named = () => {
        const left = (anonymous.get(from) ?? 1) - 1;
        if (left > 0) anonymous.set(from, left);
        else anonymous.delete(from);
      };
      const connection: Anonymous = Object.assign(new GuardedConnection(socket, options.messageBytes), {
        address,
        named,
      });
      connection.once('close', () => {
        connection.named?.();
        open -= 1;
        host.measures.connections.set(open);
      });
      aedes.handle(connection);
    },
    publish: ({ topic, payload }) =>
      new Promise((resolve) => {
        const packet = { cmd: 'publish' as const, topic, payload, qos: 0 as const, retain: false, dup: false };
        aedes.publish(packet, (error) => resolve(!error));
      }),
    async stop() {
      stopping = true;
      await publishState(false);
      for (const { connection } of guests.values()) connection.end('networkTimeout', 'the server stopped');
      await Promise.all([...guests.values()].map((guest) => forgetEdges(guest, 'the server stopped')));
      await Promise.all([...guests.values()].map(({ connection }) => connection.ended));
      await promisify((done: (error?: Error) => void) => aedes.close(() => done()))();
    },
  };
}

/** Whether a known device may connect. It must send its password, and its will must be in one of its own topics. */
function refusalOf(
  device: KnownDevice,
  password: Buffer | undefined,
  will: string | undefined,
): { code: number; reason: 'disabled' | 'password' | 'will' | 'topic'; detail: string } | null {
  const bad = (detail: string) => ({ code: BAD_PASSWORD, reason: 'password' as const, detail });
  if (!fitsMqttTopic(device.sn)) {
    return { code: NOT_AUTHORISED, reason: 'topic', detail: 'the SN contains a +, which MQTT topics cannot contain' };
  }
  if (!device.enabled) return { code: NOT_AUTHORISED, reason: 'disabled', detail: 'the device is disabled' };
  if (device.passwordHash === null) return bad('no password is set for the device');
  if (password === undefined) return bad('no password was given');
  if (!fitsDevicePassword(password.toString('utf8'), device.passwordHash)) return bad('the password is wrong');
  if (will === undefined) return null;
  const topic = readTopic(will);
  if (topic && isOwnTopic(topic, device.sn)) return null;
  return {
    code: NOT_AUTHORISED,
    reason: 'will',
    detail: `the will is in ${will.slice(0, 100)}, which is not a topic of the device`,
  };
}

function refused(returnCode: number, message: string): AuthenticateError {
  return Object.assign(new Error(message), { returnCode });
}

interface End {
  reason: DisconnectReason;
  detail: string;
}

/** Why the other side ended a connection. */
function endOf({ sentDisconnect, cutOff }: GuardedConnection, problem: End | null): End {
  if (cutOff !== null) return { reason: 'loggedOut', detail: cutOff };
  if (sentDisconnect) return { reason: 'loggedOut', detail: 'the device disconnected' };
  return problem ?? { reason: 'networkTimeout', detail: 'the connection was lost' };
}
