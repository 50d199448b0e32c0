import type { DisconnectReason } from '@chargehand/domain';
import type { Registry } from 'prom-client';
import type { Bus } from '../../../platform/bus/bus.ts';
import { type Clock, pause } from '../../../platform/clock.ts';
import type { GuessLimit } from '../../../platform/guess-limit.ts';
import type { Log } from '../../../platform/log.ts';
import type { ConnectionAttempts } from '../../../ports/devices/connection-attempts.ts';
import type { DeviceDirectory, KnownDevice } from '../../../ports/devices/device-directory.ts';
import type { TrafficMeter } from '../../../ports/traffic.ts';
import { type FrameEvent, SinkOverloaded, type UplinkEvent, type UplinkSink } from '../../../ports/uplink.ts';
import { type ConnectorLimit, connectorLimit } from '../../connector-limit.ts';
import { macOfIdentifier } from '../../mac-address.ts';
import { MessageFaults } from '../../ocpp/connection/faults/message-faults.ts';
import type { CommandEncoder, Downlink } from '../command-encoder.ts';
import { Condition } from '../condition.ts';
import { type MqttMetrics, mqttMetrics } from '../metrics.ts';
import { type PendingCommand, pendingCommand } from '../pending-command.ts';

/** Dependencies of the gateway. */
export interface MqttParts {
  sink: UplinkSink;
  traffic: TrafficMeter;
  directory: DeviceDirectory;
  /** counts rejected connections */
  attempts: ConnectionAttempts;
  /** shared by all gateways, so that password guesses count together */
  guesses: GuessLimit;
  bus: Bus;
  clock: Clock;
  log: Log;
  metrics?: Registry;
}

/** The connection of a device, for its conversation. */
export interface OpenConnection {
  readonly connectionId: string;
  /** milliseconds since the epoch */
  readonly openedAt: number;
  /** the conversation that opened the connection, and the only one that ends it after silence */
  readonly owner: object;
  /** true when the topics of the device are known */
  readonly acceptsCommands: boolean;
  /** Resolves when the end of the connection is stored; immediately if it has not ended. */
  readonly ended: Promise<void>;
  /** True if nothing arrived for too long. Only for connections behind an external broker. */
  isQuiet(now: number): boolean;
  /** Ends the connection if the device has been silent for too long. */
  tick(now: number): void;
  acceptCommands(encoder: CommandEncoder): void;
  refuseCommands(detail: string): void;
  end(reason: DisconnectReason, detail: string): void;
  frame(type: FrameEvent['type'], at: Date, more: Partial<FrameEvent>): FrameEvent;
  record(events: UplinkEvent[]): Promise<void>;
}

/** A device that has sent something, on any connection and in any protocol. */
export interface Subject {
  device: KnownDevice;
  connection: OpenConnection | null;
  condition: Condition;
  connectors: ConnectorLimit;
  /** its messages that were refused, as a whole or in part */
  faults: MessageFaults;
  /** the last reported clock difference, in ms */
  reportedSkew: number;
}

/** What all conversations of the gateway share. */
export interface Host extends MqttParts {
  measures: MqttMetrics;
  /** the maximum length of a message, compressed or not */
  messageBytes: number;
  /** The registered device of an SN; null if there is none. */
  subject(sn: string): Promise<Subject | null>;
  subjectOf(device: KnownDevice): Subject;
  /** True while this server stops. Its devices reconnect after the restart. */
  stopping(): boolean;
  /** The connection of a device. */
  connectionOf(deviceId: number): OpenConnection | null;
  /** Ends the connections of silent devices. */
  tick(now: number): void;
  /** Removes the cached registration of a device. */
  forget(sn: string): void;
  /** The last command that was sent to a device. */
  pendingCommandOf(deviceId: number): PendingCommand;
  /** Writes to a device. Returns false if the broker is unreachable. */
  publish(message: Downlink): Promise<boolean>;
  /**
   * Reports a message of an unregistered device; `named` is what else may be its MAC address: its client ID, which is
   * known on the embedded broker, or what the message says.
   */
  unknown(sn: string, remoteAddress: string, protocol: string, named?: string | null): void;
  /**
   * Stores the messages of a device. Under overload, messages that the device will not repeat (QoS 0) are dropped and
   * counted. Messages with an acknowledgement wait.
   * @throws when the message could not be stored and the device must send it again
   */
  store(deviceId: number, events: UplinkEvent[], acknowledged: boolean): Promise<void>;
}

/** How long a message with an acknowledgement waits under overload. */
const OVERLOAD_TIMEOUT_MS = 30_000;
const OVERLOAD_PAUSE_MS = 200;
/** An unregistered name is reported at most once in this time. */
const UNKNOWN_EVERY_MS = 60_000;
/** Behind an external broker, registrations are looked up at most this often. */
const LOOKUP_INTERVAL_MS = 10_000;
/** The maximum number of remembered names and devices. The oldest is forgotten. */
const REMEMBERED = 50_000;

export function mqttHost(
  parts: MqttParts,
  options: { messageBytes: number; publish: Host['publish']; stopping: () => boolean },
): Host {
  const { directory, sink, clock, log } = parts;
  const measures = mqttMetrics(parts.metrics);
  const subjects = new Map<number, Subject>();
  const pendingCommands = new Map<number, PendingCommand>();
  const reported = new Map<string, { at: number; mac: string | null }>();
  const lookups = new Map<string, { at: number; subject: Subject | null }>();

  const subjectOf = (device: KnownDevice): Subject => {
    const known = subjects.get(device.deviceId);
    if (known) {
      known.device = device;
      known.connectors = connectorLimit(device);
      return known;
    }
    const fresh: Subject = {
      ...{ device, connection: null, condition: new Condition(), reportedSkew: 0 },
      faults: new MessageFaults(false),
      connectors: connectorLimit(device),
    };
    subjects.set(device.deviceId, fresh);
    forgetOldest(subjects, (one) => one.connection === null);
    return fresh;
  };

  const lookUp = async (sn: string): Promise<Subject | null> => {
    const now = clock.now().getTime();
    const cached = lookups.get(sn);
    if (cached && now - cached.at < LOOKUP_INTERVAL_MS) return cached.subject;
    const device = await directory.find(sn);
    const subject = device && device.sn === sn ? subjectOf(device) : null;
    lookups.set(sn, { at: now, subject });
    forgetOldest(lookups, () => true);
    return subject;
  };

  return {
    ...parts,
    measures,
    messageBytes: options.messageBytes,
    stopping: options.stopping,
    subjectOf,
    connectionOf: (deviceId) => subjects.get(deviceId)?.connection ?? null,
    subject: lookUp,
    tick(now) {
      for (const { connection, device } of subjects.values()) {
        if (!connection?.isQuiet(now)) continue;
        // Its model may have changed since its last message.
        lookUp(device.sn).then(
          () => connection.tick(now),
          (error) => log.warn({ err: error, sn: device.sn }, 'a silent device could not be looked up'),
        );
      }
    },
    forget: (sn) => void lookups.delete(sn),
    pendingCommandOf(deviceId) {
      const known = pendingCommands.get(deviceId) ?? pendingCommand();
      pendingCommands.set(deviceId, known);
      forgetOldest(pendingCommands, () => true);
      return known;
    },
    publish: options.publish,
    unknown(sn, remoteAddress, protocolVersion, named = null) {
      const now = clock.now().getTime();
      const mac = macOfIdentifier(named ?? '') ?? macOfIdentifier(sn);
      const former = reported.get(sn);
      const isNew = mac !== null && former?.mac === null;
      if (former && now - former.at < UNKNOWN_EVERY_MS && !isNew) return;
      reported.set(sn, { at: now, mac: mac ?? former?.mac ?? null });
      forgetOldest(reported, () => true);
      const unknownDevice = { sn, mac, protocolVersion, remoteAddress, vendor: null, model: null };
      directory
        .reportUnknown(unknownDevice)
        .catch((error) => log.warn({ err: error, sn }, 'an unregistered device could not be noted'));
    },
    async store(deviceId, events, acknowledged) {
      const until = clock.now().getTime() + OVERLOAD_TIMEOUT_MS;
      for (;;) {
        try {
          await sink.submit(deviceId, events);
          return;
        } catch (error) {
          const overloaded = error instanceof SinkOverloaded;
          if (acknowledged && (!overloaded || clock.now().getTime() > until || options.stopping())) throw error;
          if (overloaded && acknowledged) {
            await pause(clock, OVERLOAD_PAUSE_MS);
            continue;
          }
          if (overloaded) measures.shed.inc();
          else log.warn({ err: error, deviceId }, 'a message of a device is not stored');
          return;
        }
      }
    },
  };
}

/** Limits the size of a map: removes the first entry that may be removed. */
function forgetOldest<K, V>(memory: Map<K, V>, mayGo: (value: V) => boolean): void {
  if (memory.size <= REMEMBERED) return;
  for (const [key, value] of memory) {
    if (!mayGo(value)) continue;
    memory.delete(key);
    return;
  }
}
