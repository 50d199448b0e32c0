import { connect, type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt';
import type { Stop } from '../../../platform/bus/bus.ts';
import { NoResponder } from '../../../platform/bus/bus.ts';
import { type Cancel, settled } from '../../../platform/clock.ts';
import type { Downlink } from '../command-encoder.ts';
import { Plain } from '../json/plain.ts';
import { Edge } from '../sparkplug/edge.ts';
import { EDGE_TYPES, JSON_LEAVES, PLAIN, readTopic, SPARKPLUG, stateTopic, type UplinkTopic } from '../topics.ts';
import type { Host } from './host.ts';

export interface RemoteOptions {
  /** `mqtt://`, `mqtts://`, `ws://` or `wss://`, with the account of this product */
  url: string;
  /** stable over restarts and different on each node: the broker keeps messages for it */
  clientId: string;
  /** the name of the shared subscription of all nodes; undefined for a single node */
  shareGroup?: string | undefined;
  hostId: string;
}

/** The connection to an external broker. */
export interface RemoteBroker {
  readonly connected: boolean;
  publish(message: Downlink): Promise<boolean>;
  /** Subscribes, or unsubscribes and forgets the conversations: other processes have them then. */
  share(takes: boolean): void;
  stop(): Promise<void>;
}

/** How long the broker keeps our session and its messages while we are away (seconds). */
const SESSION_SECONDS = 86_400;
const RECONNECT_MS = 2_000;
/** Timeout for the last messages to a broker that does not respond, and for closing the connection. */
const LEAVE_MS = 1_000;
/** After this time without the broker, all connections count as lost. A restart of the broker takes less. */
const LOST_MS = 30_000;
/** How long the node that holds a device may take to store a message that another node received. */
const FORWARD_TIMEOUT_MS = 35_000;
/** The maximum number of remembered conversations. Those that hold nothing are forgotten first. */
const REMEMBERED = 50_000;

/**
 * The subject of the node that holds the conversation with a device or edge node. Encoded, because topics may contain
 * spaces, dots and asterisks, which have a meaning in subjects.
 */
const ownerSubject = (key: string) => `mqtt.owner.${Buffer.from(key).toString('base64url')}` as const;
/** The subject on which nodes announce the conversations they hold. */
const CLAIMED = 'mqtt.claimed';

/**
 * A message that one node received for a device that another node holds. `payload` is base64, `at` is ms since the
 * epoch.
 */
interface Forwarded {
  topic: string;
  payload: string;
  at: number;
  acknowledged: boolean;
  retained: boolean;
}

declare module '../../../platform/bus/bus.ts' {
  interface BusMessages {
    'mqtt.claimed': { key: string; node: string };
  }
  interface BusRequests {
    [owner: `mqtt.owner.${string}`]: { request: Forwarded; answer: null };
  }
}

interface Conversation {
  take(parsed: UplinkTopic, arrival: Arrival): Promise<void>;
  /** it holds nothing that would be missed */
  idle(): boolean;
  lost(detail: string): Promise<void>;
  stopServing: Stop;
}

interface Arrival {
  bytes: Buffer;
  receivedAt: Date;
  acknowledged: boolean;
  retained: boolean;
}

/**
 * Connects to an external broker with a shared subscription. Any node receives a message, but one node holds the
 * conversation with a device. The receiving node forwards the message to that node and acknowledges it after that node
 * has stored it.
 */
export function remoteBroker(host: Host, options: RemoteOptions): RemoteBroker {
  const { bus, clock, log } = host;
  const conversations = new Map<string, Conversation>();
  const node = options.clientId;
  const where = new URL(options.url).host;
  let stopping = false;
  let takesShare = true;

  const stop = bus.subscribe(CLAIMED, ({ key, node: other }) => {
    const own = conversations.get(key);
    if (!own || other === node) return;
    // If two nodes claim it at the same time, the smaller name wins on both.
    if (other > node) return claim(key);
    own.stopServing();
    conversations.delete(key);
  });

  const claim = (key: string) => bus.publish(CLAIMED, { key, node });

  const startConversation = (key: string, parsed: UplinkTopic): Conversation => {
    const stopServing = bus.serve(ownerSubject(key), async ({ topic, payload, at, ...flags }) => {
      const same = readTopic(topic);
      const bytes = Buffer.from(payload, 'base64');
      if (same) await own.take(same, { bytes, receivedAt: new Date(at), ...flags });
      return null;
    });
    const own: Conversation = { ...conversation(host, parsed, where), stopServing };
    conversations.set(key, own);
    claim(key);
    makeRoom();
    return own;
  };

  const makeRoom = () => {
    if (conversations.size <= REMEMBERED) return;
    for (const [key, one] of conversations) {
      if (!one.idle()) continue;
      one.stopServing();
      conversations.delete(key);
      return;
    }
  };

  const take = async (topic: string, bytes: Buffer, { qos, retain }: IPublishPacket): Promise<void> => {
    const parsed = readTopic(topic);
    if (!parsed) return;
    const key = parsed.family === 'json' ? `json.${parsed.sn}` : `edge.${parsed.group}.${parsed.edge}`;
    const arrival = { bytes, receivedAt: clock.now(), acknowledged: qos > 0, retained: retain };
    const own = conversations.get(key);
    if (own) return own.take(parsed, arrival);
    const forwarded: Forwarded = {
      ...{ topic, payload: bytes.toString('base64'), at: arrival.receivedAt.getTime() },
      ...{ acknowledged: arrival.acknowledged, retained: arrival.retained },
    };
    try {
      await bus.request(ownerSubject(key), forwarded, FORWARD_TIMEOUT_MS);
    } catch (error) {
      if (!(error instanceof NoResponder)) throw error;
      return (conversations.get(key) ?? startConversation(key, parsed)).take(parsed, arrival);
    }
  };

  const { shareGroup } = options;
  const shared = (filter: string) => (shareGroup === undefined ? filter : `$share/${shareGroup}/${filter}`);
  const filters = [
    ...EDGE_TYPES.map((type) => shared(`${SPARKPLUG}/+/${type}/#`)),
    ...JSON_LEAVES.map((leaf) => shared(`${PLAIN}/+/${leaf}`)),
    stateTopic(options.hostId),
  ];
  const state = (online: boolean) => JSON.stringify({ online, timestamp: clock.now().getTime() });
  const settings: IClientOptions = {
    clientId: options.clientId,
    protocolVersion: 5,
    clean: false,
    properties: { sessionExpiryInterval: SESSION_SECONDS },
    reconnectPeriod: RECONNECT_MS,
    // Subscribe on every connection: brokers may lose shared subscriptions on a restart, as Mosquitto 2.0.11 does.
    resubscribe: false,
    // A command that cannot be written now is not written later.
    queueQoSZero: false,
    will: { topic: stateTopic(options.hostId), payload: Buffer.from(state(false)), qos: 1, retain: true },
    // Acknowledge after storing. Without an acknowledgement the broker sends the message again.
    customHandleAcks(topic, bytes, packet, done) {
      take(topic, bytes, packet as IPublishPacket).then(
        () => done(0),
        (error) => {
          log.warn({ err: error, topic }, 'a message could not be stored; the broker will send it again');
          client.stream.destroy();
        },
      );
    },
  };
  const client: MqttClient = connect(options.url, settings);

  client.on('message', (topic, bytes, packet) => {
    if (topic === stateTopic(options.hostId)) return restoreState(bytes);
    // Messages with an acknowledgement were forwarded before.
    if (packet.qos > 0) return;
    take(topic, bytes, packet).catch((error) =>
      log.warn({ err: error, topic }, 'a message of a device was not processed'),
    );
  });
  client.on('connect', () => {
    losing?.();
    losing = null;
    log.info({ broker: where, clientId: options.clientId }, 'connected to the MQTT broker');
    if (takesShare) subscribe();
  });
  const subscribe = () => {
    client.subscribe(filters, { qos: 1 }, (error) => {
      if (error) log.error({ err: error }, 'the MQTT broker refuses our subscriptions');
      else client.publish(stateTopic(options.hostId), state(true), { qos: 1, retain: true });
    });
  };
  let losing: Cancel | null = null;
  client.on('offline', () => {
    log.warn({ broker: where }, 'the MQTT broker cannot be reached; trying again');
    losing ??= clock.after(LOST_MS, () => void lose('the MQTT broker cannot be reached'));
  });

  /** Ends the connections of all conversations. The next message of a device starts a new one. */
  const lose = async (detail: string) => {
    const all = [...conversations.values()];
    conversations.clear();
    for (const one of all) one.stopServing();
    await Promise.all(all.map((one) => one.lost(detail)));
  };
  client.on('error', (error) => log.warn({ err: error, broker: where }, 'the MQTT broker'));

  /** The will of another node that stopped. This node is still online (Sparkplug 3.0, tck-id-host-topic-phid-...). */
  const restoreState = (bytes: Buffer) => {
    if (stopping || !/"online"\s*:\s*false/.test(bytes.toString('utf8'))) return;
    client.publish(stateTopic(options.hostId), state(true), { qos: 1, retain: true });
  };

  return {
    get connected() {
      return client.connected;
    },
    async publish({ topic, payload }) {
      if (!client.connected) return false;
      await client.publishAsync(topic, payload, { qos: 0 });
      return true;
    },
    share(takes) {
      if (takes === takesShare || shareGroup === undefined) return;
      takesShare = takes;
      if (takes) {
        if (client.connected) subscribe();
        return;
      }
      if (client.connected) client.unsubscribe(filters);
      for (const { stopServing } of conversations.values()) stopServing();
      conversations.clear();
    },
    async stop() {
      stopping = true;
      if (client.connected) {
        // A session that stays would keep receiving its share of the messages until this node is back.
        const leave = async () => {
          if (options.shareGroup !== undefined) await client.unsubscribeAsync(filters);
          await client.publishAsync(stateTopic(options.hostId), state(false), { qos: 1, retain: true });
        };
        await settled(leave(), clock, LEAVE_MS).catch((error) =>
          log.warn({ err: error }, 'disconnecting from the MQTT broker failed'),
        );
      }
      // Without force, the client waits for a broker that is away.
      await settled(client.endAsync(!client.connected), clock, LEAVE_MS);
      if (!client.disconnected || client.connected) client.end(true);
      losing?.();
      stop();
      await lose('the server stopped');
    },
  };
}

/** The conversation with the sender of a message. */
function conversation(host: Host, parsed: UplinkTopic, remoteAddress: string): Omit<Conversation, 'stopServing'> {
  const from = { connection: null, remoteAddress };
  if (parsed.family === 'json') {
    const plain = new Plain(host);
    return {
      take: (one, arrival) =>
        one.family === 'json' ? plain.receive({ ...arrival, ...from, sn: one.sn, leaf: one.leaf }) : Promise.resolve(),
      idle: () => plain.idle,
      lost: (detail) => plain.lost(detail),
    };
  }
  const edge = new Edge(host, parsed.group, parsed.edge);
  return {
    take: (one, arrival) =>
      one.family === 'sparkplug'
        ? edge.receive({ ...arrival, ...from, type: one.type, device: one.device })
        : Promise.resolve(),
    idle: () => edge.idle,
    lost: (detail) => edge.lost(detail),
  };
}
