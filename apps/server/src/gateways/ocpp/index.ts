import { randomUUID } from 'node:crypto';
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { AttemptReason } from '@chargehand/contract';
import type { Registry } from 'prom-client';
import { WebSocketServer } from 'ws';
import type { Bus } from '../../platform/bus/bus.ts';
import { type Clock, pause, settled } from '../../platform/clock.ts';
import type { GuessLimit } from '../../platform/guess-limit.ts';
import { type Peers, peersOf } from '../../platform/http/peers.ts';
import type { Log } from '../../platform/log.ts';
import { batching } from '../../platform/work/batching.ts';
import { ACCEPTS_EVERYONE, type Authorizer } from '../../ports/devices/authorizer.ts';
import type { DeviceCertificates } from '../../ports/devices/certificates.ts';
import type { ConnectionAttempt, ConnectionAttempts } from '../../ports/devices/connection-attempts.ts';
import type { DeviceDirectory, KnownDevice } from '../../ports/devices/device-directory.ts';
import type { TrafficMeter } from '../../ports/traffic.ts';
import type { UplinkSink } from '../../ports/uplink.ts';
import { addressLimit, isLastAddress } from './admission/address-limit.ts';
import {
  isProven,
  newPasswordShown,
  refusalOf,
  type SecurityProfile,
  type Transport,
  unknownDeviceRefusal,
} from './admission/admission.ts';
import { attemptOf, macOf, offeredProtocols, refuseUpgrade, snOf } from './admission/handshake.ts';
import { sessionRegister } from './admission/register.ts';
import { waitingRoom } from './admission/waiting.ts';
import { ConnectionSocket } from './connection/connection-socket.ts';
import { Session, type SessionHost } from './connection/session.ts';
import { chooseProtocol, type Dialect } from './dialect.ts';
import { frameEvent } from './frame-event.ts';
import { gatewayMetrics } from './metrics.ts';

export interface OcppOptions {
  securityProfile: SecurityProfile;
  /** seconds between pings; a connection that is silent for two intervals is closed */
  pingSeconds: number;
  /** the longest frame a device may send */
  frameLimitBytes: number;
  /** the interval in the answer to BootNotification */
  heartbeatSeconds?: number;
  /**
   * seconds that a reconnected device may take to boot before the server queries it; null: the server does not query it
   */
  requestAfterSeconds?: number | null;
}

export interface OcppParts {
  /** the supported versions of OCPP */
  dialects: readonly Dialect[];
  sink: UplinkSink;
  traffic: TrafficMeter;
  directory: DeviceDirectory;
  /** counts refused connections */
  attempts: ConnectionAttempts;
  /** shared by all gateways, because an attacker chooses the one where guessing a password is easiest */
  guesses: GuessLimit;
  /** signs the certificates that devices request; without it nothing is signed */
  certificates?: DeviceCertificates | null;
  /** decides who may charge; without it, everyone may */
  authorizer?: Authorizer;
  bus: Bus;
  clock: Clock;
  log: Log;
  metrics?: Registry;
  /** where requests come from; without it, from the other end of their connections */
  peers?: Peers;
  options: OcppOptions;
}

export interface OcppGateway {
  /** Handles the `upgrade` requests of a server for `/ocpp/{SN}`, and no others. */
  attach(server: HttpServer | HttpsServer): void;
  /** Counts a request for `/ocpp/…` that is not a WebSocket handshake: a proxy on the way removed the headers. */
  notUpgraded(request: IncomingMessage): void;
  /** Before `drain`: a load balancer may close the connections of a process that is not ready any more. */
  leave(): void;
  /** Accepts no more connections, and closes the open ones over at most `withinMs`, so that they do not return all at once. */
  drain(withinMs: number): Promise<void>;
  /** Closes all connections, whose devices are expected at another process. */
  release(): void;
  /** Closes all connections with a reason and waits until that is stored. */
  stop(): Promise<void>;
  readonly connections: number;
}

const HEARTBEAT_SECONDS = 60;
const REQUEST_AFTER_SECONDS = 10;
const TICK_MS = 1_000;
const STOP_TIMEOUT_MS = 5_000;
/** RFC 6455 and its registry: service restart, so the device connects again. */
const SERVICE_RESTART = 1012;
/** While a process drains, it closes at least so many connections in each step of so many milliseconds. */
const DRAIN_STEP_MS = 100;
const DRAIN_STEP_CONNECTIONS = 5;
/**
 * `ws` closes the connection without a reason for a frame beyond its own limit. Up to this multiple of our limit the
 * device receives the reason.
 */
const READABLE_FACTOR = 4;
/**
 * Compression of connections: each message is compressed on its own, and only when it is large enough, so that a
 * connection needs memory only for what it receives.
 */
const COMPRESSION = { serverNoContextTakeover: true, threshold: 1_024 };

/**
 * The gateway for charge points that use OCPP in JSON over WebSocket (OCPP-J). One address serves all versions: a
 * connection uses the first subprotocol of the device's list that the server supports, because the list is in order of
 * preference (RFC 6455 §4.1).
 */
export function ocppGateway(parts: OcppParts): OcppGateway {
  const { sink, traffic, directory, attempts, guesses, bus, clock, log, options } = parts;
  const { frameLimitBytes, pingSeconds, heartbeatSeconds = HEARTBEAT_SECONDS } = options;
  const peers = parts.peers ?? peersOf({ proxies: [] });
  const { requestAfterSeconds = REQUEST_AFTER_SECONDS } = options;
  const requestAfterMs = requestAfterSeconds === null ? null : requestAfterSeconds * 1_000;
  const dialectOf = new Map(parts.dialects.map((dialect) => [dialect.subprotocol, dialect]));
  const metrics = gatewayMetrics(parts.metrics);
  const transportOf = (request: IncomingMessage): Transport => ({
    isEncrypted: peers.isEncrypted(request),
    certificate: () => peers.certificateOf(request, clock.now()),
  });
  const register = sessionRegister(bus, async (session) => {
    const device = await directory.find(session.sn);
    if (device?.deviceId === session.deviceId) session.use(device);
  });
  const unknownAddresses = addressLimit();
  const waiting = waitingRoom({
    directory,
    clock,
    log,
    registered({ socket, request, attempt }, device) {
      const refusal = refusalOf(options.securityProfile, device, transportOf(request), request.headers);
      if (!refusal) return accept(socket, device, attempt, newPasswordShown(device, request));
      guesses.check(attempt.remoteAddress, device.sn, false, clock.now().getTime());
      attempts.record({ ...attempt, reason: refusal.reason, deviceId: device.deviceId });
      recordRefusal(device, `refused after it waited, from ${attempt.remoteAddress}: ${refusal.detail}`);
      socket.close(1008, refusal.detail);
    },
  });
  let leaving = false;
  let stopping = false;
  const webSocketServer = (perMessageDeflate: false | typeof COMPRESSION) =>
    new WebSocketServer({
      noServer: true,
      WebSocket: ConnectionSocket,
      clientTracking: false,
      perMessageDeflate,
      // The size after decompression.
      maxPayload: frameLimitBytes * READABLE_FACTOR,
      handleProtocols: (protocols) => chooseProtocol([...protocols], dialectOf) ?? false,
    });
  const plain = webSocketServer(false);
  const compressing = webSocketServer(COMPRESSION);
  for (const server of [plain, compressing]) {
    server.on('wsClientError', (error, socket, request) => {
      attempts.record({ ...attemptOf(request, peers), reason: 'malformed' });
      refuseUpgrade(socket, 400, error.message);
    });
  }

  const host: SessionHost = {
    sink,
    traffic,
    clock,
    log,
    metrics,
    certificates: parts.certificates ?? null,
    authorizer: parts.authorizer ?? ACCEPTS_EVERYONE,
    missingReports: batching((deviceIds) => directory.missingReports(deviceIds)),
    options: { frameLimitBytes, pingSeconds, heartbeatSeconds, requestAfterMs },
    leaves: () => leaving || stopping,
    onEnd(ended) {
      register.remove(ended);
      metrics.connections.set(register.size);
    },
  };

  const onUpgrade = function (this: HttpServer | HttpsServer, request: IncomingMessage, socket: Duplex, head: Buffer) {
    const sn = snOf(request);
    if (sn === null) {
      // Another part of the server may handle it. Without another listener the connection would stay open forever.
      if (this.listenerCount('upgrade') === 1) refuseUpgrade(socket, 404, 'this path is not served');
      return;
    }
    const drop = () => socket.destroy();
    socket.on('error', drop);
    shake(sn, request, socket, head, drop).catch((error) => {
      log.warn({ err: error, sn }, 'a handshake failed');
      refuseUpgrade(socket, 503, 'not available; try again later');
    });
  };

  const shake = async (sn: string, request: IncomingMessage, socket: Duplex, head: Buffer, drop: () => void) => {
    const attempt = attemptOf(request, peers);
    const { remoteAddress } = attempt;
    const refuse = (status: number, reason: AttemptReason, detail: string, more: Partial<ConnectionAttempt> = {}) => {
      metrics.refused.inc({ reason });
      attempts.record({ ...attempt, reason, ...more });
      refuseUpgrade(socket, status, detail);
    };
    if (stopping) return refuseUpgrade(socket, 503, 'the server is stopping');
    // A registered device is found whatever others do at its address. Look-ups are batched, so that a flood costs
    // little.
    const device = sn === '' ? null : await directory.find(sn);
    if (!device) {
      const admits = unknownAddresses.admits(remoteAddress, clock.now().getTime());
      unknownAddresses.refused(remoteAddress, clock.now().getTime());
      if (!admits) return refuse(429, 'throttled', 'too many refused connections from this address', { target: '*' });
      if (sn === '') return refuse(404, 'path', 'the path is /ocpp/{SN}, with an SN of 1 to 48 characters');
      const offered = offeredProtocols(request);
      const protocol = chooseProtocol(offered, dialectOf);
      const refusal = unknownDeviceRefusal(options.securityProfile, sn, transportOf(request));
      const room = waiting.hasRoom(remoteAddress);
      const waits = protocol !== undefined && refusal === null && room;
      const unknownDevice = {
        ...{ sn, mac: macOf(request, sn), remoteAddress, vendor: null, model: null, waiting: waits },
        protocolVersion: (protocol ?? offered[0])?.slice(0, 32) ?? 'none',
      };
      await directory.reportUnknown(unknownDevice);
      if (refusal) return refuse(refusal.status, refusal.reason, refusal.detail);
      if (protocol !== undefined && !room) return refuse(503, 'full', 'too many unregistered devices are waiting');
      if (waits) {
        if (socket.destroyed) return;
        socket.removeListener('error', drop);
        return plain.handleUpgrade(request, socket, head, (webSocket) => {
          attempts.record({ ...attempt, reason: 'unknown' });
          waiting.add({ sn, socket: webSocket, request, attempt, unknownDevice });
        });
      }
      // OCPP-J 1.6 §3.2: an identity that is not recognised gets 404.
      return refuse(404, 'unknown', `no device ${sn} is registered`);
    }
    const { deviceId } = device;
    const check = guesses.check(remoteAddress, device.sn, isLastAddress(device, remoteAddress), clock.now().getTime());
    if (!check) return refuse(429, 'throttled', 'too many refused connections; try again later', { deviceId });
    if (check.delayMs > 0) await pause(clock, check.delayMs);
    const refusal = refusalOf(options.securityProfile, device, transportOf(request), request.headers);
    if (refusal) {
      refuse(refusal.status, refusal.reason, refusal.detail, { deviceId });
      return recordRefusal(device, `refused (${refusal.status}) from ${remoteAddress}: ${refusal.detail}`);
    }
    if (socket.destroyed) return;
    const newPassword = newPasswordShown(device, request);
    socket.removeListener('error', drop);
    const chosen = chooseProtocol(offeredProtocols(request), dialectOf);
    if (chosen !== undefined) check.right();
    const webSockets = chosen !== undefined && dialectOf.get(chosen)?.compresses ? compressing : plain;
    webSockets.handleUpgrade(request, socket, head, (webSocket) => accept(webSocket, device, attempt, newPassword));
  };

  const accept = (
    socket: ConnectionSocket,
    device: KnownDevice,
    attempt: Omit<ConnectionAttempt, 'reason'>,
    newPassword: string | null,
  ) => {
    const { remoteAddress } = attempt;
    const dialect = dialectOf.get(socket.protocol);
    if (!dialect) {
      // OCPP-J 1.6 §3.2: complete the handshake without a subprotocol, then close the connection immediately.
      socket.on('error', (error) => log.debug({ err: error, sn: device.sn }, 'a refused connection failed'));
      socket.close(1002, `the subprotocol must be ${[...dialectOf.keys()].join(' or ')}`);
      clock.after(TICK_MS, () => socket.terminate());
      metrics.refused.inc({ reason: 'subprotocol' });
      attempts.record({ ...attempt, reason: 'subprotocol', deviceId: device.deviceId });
      return recordRefusal(device, `closed: ${remoteAddress} did not offer a supported subprotocol`);
    }
    if (stopping) return socket.close(1001, 'the server is stopping');
    const proven = isProven(options.securityProfile, device);
    const session = new Session(host, { dialect, socket, device, proven, connectionId: randomUUID(), remoteAddress });
    register.add(session);
    metrics.connections.set(register.size);
    checkRegistration(device, session, newPassword).catch((error) =>
      log.warn({ err: error, sn: device.sn }, 'a new connection was not checked again'),
    );
  };

  /**
   * Disabling a device closes its registered connection. A connection that was admitted at the same time must be found
   * here.
   */
  const checkRegistration = async (device: KnownDevice, session: Session, newPassword: string | null) => {
    if (newPassword !== null) await directory.usedNewPassword(device.deviceId, newPassword);
    const now = await directory.find(device.sn);
    if (
      !now?.enabled ||
      now.deviceId !== device.deviceId ||
      now.passwordHash !== (newPassword ?? device.passwordHash)
    ) {
      session.end('authRejected', 'the device was disabled, removed or given another password', 1008);
    }
  };

  /** A refused attempt of a known device is also recorded in its protocol log, where the operator looks first. */
  const recordRefusal = (device: KnownDevice, note: string) => {
    sink
      .submit(device.deviceId, [frameEvent(null, 'close', clock.now(), { note })])
      .catch((error) => log.warn({ err: error, sn: device.sn }, 'a refused handshake is not stored'));
  };

  /** Requests that are not valid HTTP, such as an identity with an unencoded space. */
  const onClientError = function (
    this: HttpServer | HttpsServer,
    error: Error & { rawPacket?: Buffer },
    socket: Duplex,
  ) {
    // Another listener answers. If this is the only one, it must answer.
    if (this.listenerCount('clientError') === 1) refuseUpgrade(socket, 400, 'not a valid HTTP request');
    const target = /^[A-Z]+ (\/ocpp(?:[/? ].*)?) HTTP\//.exec(error.rawPacket?.toString('latin1', 0, 512) ?? '')?.[1];
    const remoteAddress = (socket as Duplex & { remoteAddress?: string }).remoteAddress ?? 'unknown';
    if (target === undefined) return;
    const reason = 'malformed';
    attempts.record({ gateway: 'ocpp', remoteAddress, target, protocols: null, deviceId: null, reason });
  };

  const ticking = clock.repeat(
    async () => {
      const now = clock.now().getTime();
      for (const one of register.sessions()) one.tick(now);
    },
    { job: 'ocppCheck', everyMs: TICK_MS, log, failed: 'connections could not be checked for silence' },
  );
  ticking.startLater();

  const leave = (session: Session) => session.end('networkTimeout', 'the server stopped', SERVICE_RESTART, true);

  const servers: (HttpServer | HttpsServer)[] = [];
  return {
    attach(server) {
      servers.push(server);
      server.on('upgrade', onUpgrade);
      server.on('clientError', onClientError);
    },
    leave() {
      leaving = true;
    },
    release() {
      for (const one of register.sessions()) leave(one);
    },
    async drain(withinMs) {
      stopping = true;
      await waiting.stop();
      const sessions = [...register.sessions()];
      const step = Math.max(DRAIN_STEP_CONNECTIONS, Math.ceil((sessions.length * DRAIN_STEP_MS) / withinMs));
      for (let first = 0; first < sessions.length; first += step) {
        for (const one of sessions.slice(first, first + step)) leave(one);
        await pause(clock, DRAIN_STEP_MS);
      }
    },
    notUpgraded: (request) => attempts.record({ ...attemptOf(request, peers), reason: 'noUpgrade' }),
    async stop() {
      stopping = true;
      for (const server of servers) server.off('upgrade', onUpgrade).off('clientError', onClientError);
      await ticking.stop();
      await waiting.stop();
      const sessions = [...register.sessions()];
      for (const one of sessions) leave(one);
      const stored = Promise.all(sessions.map((one) => one.ended));
      await settled(stored, clock, STOP_TIMEOUT_MS);
      register.close();
    },
    get connections() {
      return register.size;
    },
  };
}
