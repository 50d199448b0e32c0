import { randomUUID } from 'node:crypto';
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { WebSocketServer } from 'ws';
import type { Bus } from '../../platform/bus/bus.ts';
import { gathering } from '../../platform/gathering.ts';
import type { Log } from '../../platform/log.ts';
import type { DeviceCertificates } from '../../ports/certificates.ts';
import type { DeviceDirectory, KnownDevice } from '../../ports/device-directory.ts';
import type { TrafficMeter } from '../../ports/traffic.ts';
import type { UplinkSink } from '../../ports/uplink.ts';
import { addressLimit } from './address-limit.ts';
import { isProven, refusalOf, type SecurityProfile } from './admission.ts';
import type { Dialect } from './dialect.ts';
import { frameEvent } from './frame-event.ts';
import { addressOf, macOf, offeredProtocols, refuseUpgrade, snOf } from './handshake.ts';
import { LineSocket } from './line-socket.ts';
import { gatewayMetrics } from './metrics.ts';
import { sessionRegister } from './register.ts';
import { Session, type SessionHost } from './session.ts';

export interface OcppOptions {
  securityProfile: SecurityProfile;
  /** seconds between pings; a line silent for two of them is cut off */
  pingSeconds: number;
  /** the longest frame a device may send */
  frameLimitBytes: number;
  /** the interval that BootNotification answers */
  heartbeatSeconds?: number;
  /** seconds that a device that came back may take to boot before it is asked what is open; null: it is asked nothing */
  askAfterSeconds?: number | null;
  /** takes the address from `X-Forwarded-For` */
  trustProxy?: boolean;
}

export interface OcppParts {
  /** the versions of OCPP that are spoken */
  dialects: readonly Dialect[];
  sink: UplinkSink;
  traffic: TrafficMeter;
  directory: DeviceDirectory;
  /** signs what devices ask for; without it nothing is signed */
  certificates?: DeviceCertificates | null;
  bus: Bus;
  log: Log;
  metrics?: Registry;
  options: OcppOptions;
}

export interface OcppGateway {
  /** Takes the `upgrade` requests of a server for `/ocpp/{SN}`, and no others. */
  attach(server: HttpServer | HttpsServer): void;
  /** Closes all lines with a reason and waits until that is stored. */
  stop(): Promise<void>;
  readonly connections: number;
}

const HEARTBEAT_SECONDS = 60;
const ASK_AFTER_SECONDS = 10;
const TICK_MS = 1_000;
const STOP_PATIENCE_MS = 5_000;
/** `ws` cuts off a frame beyond its own limit without a word; up to this multiple of ours the device is told why. */
const TELLING_FACTOR = 4;
/**
 * How lines are compressed: answers each for itself, and only where that is worth it, so that a line needs memory for
 * what it receives alone.
 */
const COMPRESSION = { serverNoContextTakeover: true, threshold: 1_024 };

/**
 * The gateway for charge points that speak OCPP in JSON over WebSocket (OCPP-J). One address serves all versions: what a
 * line speaks is the first subprotocol of the device's list that we know, for the list is in the order of its preference
 * (RFC 6455 §4.1).
 */
export function ocppGateway(parts: OcppParts): OcppGateway {
  const { sink, traffic, directory, bus, log, options } = parts;
  const { frameLimitBytes, pingSeconds, heartbeatSeconds = HEARTBEAT_SECONDS, trustProxy = false } = options;
  const { askAfterSeconds = ASK_AFTER_SECONDS } = options;
  const askAfterMs = askAfterSeconds === null ? null : askAfterSeconds * 1_000;
  const dialectOf = new Map(parts.dialects.map((dialect) => [dialect.subprotocol, dialect]));
  const metrics = gatewayMetrics(parts.metrics);
  const register = sessionRegister(bus);
  const limit = addressLimit();
  /** SNs in small letters of devices that were let in before: their reconnection is not held up by refusals of others at their address */
  const admitted = new Set<string>();
  let stopping = false;
  const webSocketServer = (perMessageDeflate: false | typeof COMPRESSION) =>
    new WebSocketServer({
      noServer: true,
      WebSocket: LineSocket,
      clientTracking: false,
      perMessageDeflate,
      // Of what it comes to when it is not compressed.
      maxPayload: frameLimitBytes * TELLING_FACTOR,
      handleProtocols: (protocols) => [...protocols].find((protocol) => dialectOf.has(protocol)) ?? false,
    });
  const plain = webSocketServer(false);
  const compressing = webSocketServer(COMPRESSION);

  const host: SessionHost = {
    sink,
    traffic,
    log,
    metrics,
    certificates: parts.certificates ?? null,
    openMatters: gathering((deviceIds) => directory.openMatters(deviceIds)),
    options: { frameLimitBytes, pingSeconds, heartbeatSeconds, askAfterMs },
    onEnd(ended) {
      register.remove(ended);
      metrics.connections.set(register.size);
    },
  };

  const onUpgrade = function (this: HttpServer | HttpsServer, request: IncomingMessage, socket: Duplex, head: Buffer) {
    const sn = snOf(request);
    if (sn === null) {
      // Another part of the server may take it; with nobody else listening the connection would stay open for ever.
      if (this.listenerCount('upgrade') === 1) refuseUpgrade(socket, 404, 'nothing is served here');
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
    const address = addressOf(request, trustProxy);
    const refuse = (status: number, reason: string, detail: string) => {
      limit.refused(address, Date.now());
      metrics.refused.inc({ reason });
      refuseUpgrade(socket, status, detail);
    };
    if (stopping) return refuseUpgrade(socket, 503, 'the server is stopping');
    if (!limit.admits(address, Date.now()) && !admitted.has(sn.toLowerCase())) {
      return refuse(429, 'flood', 'too many refused connections from this address');
    }
    if (sn === '') return refuse(404, 'unknown', 'the path is /ocpp/{SN}');
    const device = await directory.find(sn);
    if (!device) {
      await directory.reportUnknown({
        sn,
        mac: macOf(request),
        protocolVersion: offeredProtocols(request)[0]?.slice(0, 32) ?? 'none',
        remoteAddress: address,
        vendor: null,
        model: null,
      });
      // OCPP-J 1.6 §3.2: an identity that is not recognised gets 404.
      return refuse(404, 'unknown', `no device ${sn} is registered`);
    }
    const refusal = refusalOf(options.securityProfile, device, request);
    if (refusal) {
      refuse(refusal.status, refusal.reason, refusal.detail);
      return recordRefusal(device, `refused (${refusal.status}) from ${address}: ${refusal.detail}`);
    }
    if (socket.destroyed) return;
    admitted.add(device.sn.toLowerCase());
    socket.removeListener('error', drop);
    const chosen = offeredProtocols(request).find((protocol) => dialectOf.has(protocol));
    const webSockets = chosen !== undefined && dialectOf.get(chosen)?.compresses ? compressing : plain;
    webSockets.handleUpgrade(request, socket, head, (webSocket) => accept(webSocket, device, address));
  };

  const accept = (socket: LineSocket, device: KnownDevice, remoteAddress: string) => {
    const dialect = dialectOf.get(socket.protocol);
    if (!dialect) {
      // OCPP-J 1.6 §3.2: complete the handshake without a subprotocol, then close at once.
      socket.on('error', (error) => log.debug({ err: error, sn: device.sn }, 'a refused line broke'));
      socket.close(1002, `the subprotocol must be ${[...dialectOf.keys()].join(' or ')}`);
      setTimeout(() => socket.terminate(), TICK_MS).unref();
      metrics.refused.inc({ reason: 'subprotocol' });
      limit.refused(remoteAddress, Date.now());
      return recordRefusal(device, `closed: ${remoteAddress} did not offer a subprotocol that is known here`);
    }
    if (stopping) return socket.close(1001, 'the server is stopping');
    const proven = isProven(options.securityProfile, device);
    const line = new Session(host, { dialect, socket, device, proven, connectionId: randomUUID(), remoteAddress });
    register.add(line);
    metrics.connections.set(register.size);
    lookAgain(device, line).catch((error) =>
      log.warn({ err: error, sn: device.sn }, 'a new line was not checked again'),
    );
  };

  /** Whoever disables a device ends the line it finds registered; one that was let in meanwhile has to be found here. */
  const lookAgain = async (device: KnownDevice, line: Session) => {
    const now = await directory.find(device.sn);
    if (!now?.enabled || now.deviceId !== device.deviceId || now.passwordHash !== device.passwordHash) {
      line.end('authRejected', 'the device was disabled, removed or given another password', 1008);
    }
  };

  /** A refused attempt of a known device is part of its protocol log: the operator looks there first. */
  const recordRefusal = (device: KnownDevice, note: string) => {
    sink
      .submit(device.deviceId, [frameEvent(null, 'close', new Date(), { note })])
      .catch((error) => log.warn({ err: error, sn: device.sn }, 'a refused handshake is not stored'));
  };

  const ticking = setInterval(() => {
    const now = Date.now();
    for (const one of register.sessions()) one.tick(now);
  }, TICK_MS);
  ticking.unref();

  const servers: (HttpServer | HttpsServer)[] = [];
  return {
    attach(server) {
      servers.push(server);
      server.on('upgrade', onUpgrade);
    },
    async stop() {
      stopping = true;
      for (const server of servers) server.off('upgrade', onUpgrade);
      clearInterval(ticking);
      const sessions = [...register.sessions()];
      for (const one of sessions) one.end('networkTimeout', 'the server stopped', 1001);
      const stored = Promise.all(sessions.map((one) => one.ended));
      const patience = new AbortController();
      // With the database away, the next start finds the lines and says the same of them.
      await Promise.race([stored, wait(STOP_PATIENCE_MS, undefined, { signal: patience.signal })]);
      patience.abort();
      register.close();
    },
    get connections() {
      return register.size;
    },
  };
}
