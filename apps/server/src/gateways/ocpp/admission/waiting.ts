import type { IncomingMessage } from 'node:http';
import { type Clock, settled } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { ConnectionAttempt } from '../../../ports/devices/connection-attempts.ts';
import type { DeviceDirectory, KnownDevice, UnknownDevice } from '../../../ports/devices/device-directory.ts';
import { macAddress, macOfIdentifier } from '../../mac-address.ts';
import { bindSession, type ConnectionSocket, unbindSession } from '../connection/connection-socket.ts';
import { CALL, type CallFrame, readFrame, writeError } from '../wire.ts';

/** The maximum number of open connections of unregistered devices, in total and per address. */
const MOST_WAITING = 200;
const MOST_OF_ADDRESS = 50;
/** A waiting connection is closed after this time. The device may connect again and wait again. */
const WAIT_MS = 15 * 60_000;
/** A waiting device repeats its BootNotification this often (OCPP 1.6 §4.2, 2.0.1 B02). Seconds. */
const BOOT_SECONDS = 10;
/** A BootNotification is far shorter. Bytes. */
const FRAME_BYTES = 8_192;
/** A waiting device has nothing else to send. It is disconnected when it sends more than this within a minute. */
const MOST_FRAMES = 30;
/** How often the registered devices are looked up. */
const CHECK_INTERVAL_MS = 2_000;

/** A connection of an unregistered device. */
interface Waiting {
  sn: string;
  socket: ConnectionSocket;
  request: IncomingMessage;
  attempt: Omit<ConnectionAttempt, 'reason'>;
  unknownDevice: UnknownDevice;
  since: number;
  frames: { from: number; count: number };
}

export interface WaitingRoom {
  /** True when one more connection of this address can wait. */
  hasRoom(remoteAddress: string): boolean;
  /** Adds an open connection of an unregistered device. */
  add(one: Pick<Waiting, 'sn' | 'socket' | 'request' | 'attempt' | 'unknownDevice'>): void;
  stop(): Promise<void>;
  readonly size: number;
}

/**
 * Holds connections of unregistered devices. They may only send a BootNotification, which is answered with `Pending`,
 * so that vendor, model, serial number and firmware are known before someone registers them. When a device is
 * registered, its open connection is handed on unchanged.
 */
export function waitingRoom(parts: {
  directory: DeviceDirectory;
  clock: Clock;
  log: Log;
  registered(one: Waiting, device: KnownDevice): void;
}): WaitingRoom {
  const { directory, clock, log, registered } = parts;
  /** by SN in lower case: the newest connection of a device wins */
  const waiting = new Map<string, Waiting>();

  const report = (unknownDevice: UnknownDevice) => {
    directory
      .reportUnknown(unknownDevice)
      .catch((error) => log.warn({ err: error, sn: unknownDevice.sn }, 'a waiting device could not be stored'));
  };

  const leave = (one: Waiting) => {
    const key = one.sn.toLowerCase();
    if (waiting.get(key) !== one) return false;
    waiting.delete(key);
    return true;
  };
  const close = (one: Waiting, code: number, reason: string) => {
    if (leave(one)) report({ ...one.unknownDevice, waiting: false, again: true });
    one.socket.close(code, reason);
    clock.after(CHECK_INTERVAL_MS, () => one.socket.terminate());
  };

  const receive = (one: Waiting, data: Buffer, isBinary: boolean) => {
    const now = clock.now().getTime();
    if (now - one.frames.from > 60_000) one.frames = { from: now, count: 0 };
    one.frames.count += 1;
    if (isBinary) return close(one, 1003, 'OCPP frames are text, not binary');
    if (data.length > FRAME_BYTES) return close(one, 1009, `a frame is longer than ${FRAME_BYTES} bytes`);
    if (one.frames.count > MOST_FRAMES) return close(one, 1008, 'not registered: only BootNotification is answered');
    const frame = readFrame(data.toString('utf8'));
    if (frame.type === 'bad' && frame.answer) {
      const code = one.socket.protocol.startsWith('ocpp2') ? 'FormatViolation' : 'FormationViolation';
      one.socket.send(writeError(frame.answer.rawId, code, frame.problem));
    }
    if (frame.type !== CALL) return;
    if (frame.action !== 'BootNotification') {
      // OCPP 2.0.1 B02.FR.09: a station receives this until it is accepted.
      one.socket.send(writeError(frame.id, 'SecurityError', 'The device is not registered yet'));
      return;
    }
    const facts = bootFacts(frame);
    const mac = one.unknownDevice.mac ?? macInBoot(frame);
    one.unknownDevice = { ...one.unknownDevice, ...facts, mac };
    report({ ...one.unknownDevice, waiting: true, again: true });
    const answer = { currentTime: new Date(now).toISOString(), interval: BOOT_SECONDS, status: 'Pending' };
    one.socket.send(JSON.stringify([3, frame.id, answer]));
  };

  const checkWaiting = async () => {
    const now = clock.now().getTime();
    await Promise.all(
      [...waiting.values()].map(async (one) => {
        const device = await directory.find(one.sn);
        if (!device) {
          if (now - one.since > WAIT_MS) close(one, 1013, 'not registered; try again later');
          return;
        }
        if (!leave(one) || one.socket.readyState !== one.socket.OPEN) return;
        unbindSession(one.socket);
        registered(one, device);
      }),
    );
  };
  const failed = 'waiting devices could not be looked up';
  const recheck = clock.repeat(checkWaiting, { job: 'waitingDevices', everyMs: CHECK_INTERVAL_MS, log, failed });
  recheck.startLater();

  return {
    hasRoom(remoteAddress) {
      if (waiting.size >= MOST_WAITING) return false;
      let ofAddress = 0;
      for (const { attempt } of waiting.values()) if (attempt.remoteAddress === remoteAddress) ofAddress += 1;
      return ofAddress < MOST_OF_ADDRESS;
    },
    add(given) {
      const now = clock.now().getTime();
      const one: Waiting = { ...given, since: now, frames: { from: now, count: 0 } };
      const key = one.sn.toLowerCase();
      const former = waiting.get(key);
      waiting.set(key, one);
      former?.socket.close(1000, 'the device opened a newer connection');
      bindSession(one.socket, {
        onMessage: (data, isBinary) => receive(one, data, isBinary),
        onPong: () => undefined,
        onSocketProblem: (error) => log.debug({ err: error, sn: one.sn }, 'the connection of a waiting device failed'),
        onClose() {
          if (leave(one)) report({ ...one.unknownDevice, waiting: false, again: true });
        },
      });
    },
    async stop() {
      for (const one of [...waiting.values()]) close(one, 1001, 'the server is stopping');
      await settled(recheck.stop(), clock, CHECK_INTERVAL_MS);
    },
    get size() {
      return waiting.size;
    },
  };
}

/** The MAC address in a BootNotification: a serial number, or a field that some vendors add. Null if there is none. */
function macInBoot({ payload }: CallFrame): string | null {
  const fields = (payload ?? {}) as Record<string, unknown>;
  const station = (fields.chargingStation ?? {}) as Record<string, unknown>;
  const serials = [fields.chargePointSerialNumber, fields.chargeBoxSerialNumber, station.serialNumber];
  const added = [fields, station, fields.customData, station.customData].flatMap((part) => {
    const { mac, macAddress: address } = (part ?? {}) as { mac?: unknown; macAddress?: unknown };
    return [mac, address];
  });
  const read = (texts: unknown[], as: (text: string) => string | null) =>
    texts.map((text) => (typeof text === 'string' ? as(text.trim()) : null)).find((mac) => mac !== null) ?? null;
  return read(serials, macOfIdentifier) ?? read(added, macAddress);
}

/** The device details in a BootNotification: OCPP 1.6 §6.5 in flat fields, 2.0.1 and 2.1 under `chargingStation`. */
function bootFacts({ payload }: CallFrame): Partial<UnknownDevice> {
  const fields = (payload ?? {}) as Record<string, unknown>;
  const station = (fields.chargingStation ?? {}) as Record<string, unknown>;
  const text = (...values: unknown[]) =>
    values.find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? null;
  return {
    vendor: text(fields.chargePointVendor, station.vendorName),
    model: text(fields.chargePointModel, station.model),
    serialNumber: text(fields.chargePointSerialNumber, fields.chargeBoxSerialNumber, station.serialNumber),
    firmwareVersion: text(fields.firmwareVersion, station.firmwareVersion),
  };
}
