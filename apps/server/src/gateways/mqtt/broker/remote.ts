import { connect, type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt';
import type { Stop } from '../../../platform/bus/bus.ts';
import { NoResponder } from '../../../platform/bus/bus.ts';
import type { Cancel } from '../../../platform/clock.ts';
import { Plain } from '../json/plain.ts';
import { Edge } from '../sparkplug/edge.ts';
import type { Downlink } from '../speech.ts';
import { EDGE_TYPES, JSON_LEAVES, PLAIN, readTopic, SPARKPLUG, stateTopic, type UplinkTopic } from '../topics.ts';
import type { Host } from './host.ts';

export interface RemoteOptions {
  /** `mqtt://`, `mqtts://`, `ws://` or `wss://`, with the account of this product */
  url: string;
  /** the same after a restart, another one on each node: the broker keeps what came meanwhile under it */
  clientId: string;
  /** nodes of one installation share their subscriptions under this name; undefined: there is one node, and it takes all */
  shareGroup: string | undefined;
  hostId: string;
}

/** The way to a broker outside. */
export interface RemoteBroker {
  readonly connected: boolean;
  publish(message: Downlink): Promise<boolean>;
  stop(): Promise<void>;
}

/** The broker keeps our session, and what came for it, for so long while we are away (seconds). */
const SESSION_SECONDS = 86_400;
const RECONNECT_MS = 2_000;
/** Without the broker nobody knows who is there; a restart of it takes less. */
const LOST_MS = 30_000;
/** How long the node that holds a device may take to store a message that another node was given. */
const HANDOVER_MS = 35_000;
/** Conversations that are remembered; those of which nothing would be missed make room. */
const REMEMBERED = 50_000;

/**
 * Who holds the conversation with a device or edge node: one node of the installation. Encoded, because topics may hold
 * what has a meaning in a subject: spaces, dots, asterisks.
 */
const ownerSubject = (key: string) => `mqtt.owner.${Buffer.from(key).toString('base64url')}` as const;
/** Where nodes announce that they hold a conversation. */
const CLAIMED = 'mqtt.claimed';

/** A message that another node was given for a device that this node holds; `payload` in base64, `at` in ms since the epoch. */
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
  take(word: UplinkTopic, arrival: Arrival): Promise<void>;
  /** nothing of it would be missed */
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
 * Takes part in an installation's share of an external broker. A message goes to any of the nodes, but a device has one
 * conversation: the node that holds it is handed what another node was given, and acknowledges through that one.
 */
export function remoteBroker(host: Host, options: RemoteOptions): RemoteBroker {
  const { bus, clock, log } = host;
  const conversations = new Map<string, Conversation>();
  const node = options.clientId;
  const where = new URL(options.url).host;
  let stopping = false;

  const stop = bus.subscribe(CLAIMED, ({ key, node: other }) => {
    const own = conversations.get(key);
    if (!own || other === node) return;
    // Two nodes claimed it in the same moment: the smaller name keeps it, so that both decide alike.
    if (other > node) return claim(key);
    own.stopServing();
    conversations.delete(key);
  });

  const claim = (key: string) => bus.publish(CLAIMED, { key, node });

  const converse = (key: string, word: UplinkTopic): Conversation => {
    const stopServing = bus.serve(ownerSubject(key), async ({ topic, payload, at, ...flags }) => {
      const same = readTopic(topic);
      const bytes = Buffer.from(payload, 'base64');
      if (same) await own.take(same, { bytes, receivedAt: new Date(at), ...flags });
      return null;
    });
    const own: Conversation = { ...conversation(host, word, where), stopServing };
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
    const word = readTopic(topic);
    if (!word) return;
    const key = word.family === 'json' ? `json.${word.sn}` : `edge.${word.group}.${word.edge}`;
    const arrival = { bytes, receivedAt: clock.now(), acknowledged: qos > 0, retained: retain };
    const own = conversations.get(key);
    if (own) return own.take(word, arrival);
    const forwarded: Forwarded = {
      ...{ topic, payload: bytes.toString('base64'), at: arrival.receivedAt.getTime() },
      ...{ acknowledged: arrival.acknowledged, retained: arrival.retained },
    };
    try {
      await bus.request(ownerSubject(key), forwarded, HANDOVER_MS);
    } catch (error) {
      if (!(error instanceof NoResponder)) throw error;
      return (conversations.get(key) ?? converse(key, word)).take(word, arrival);
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
    // Done by ourselves with every connection: brokers may forget shared ones when they restart, as Mosquitto 2.0.11
    // does.
    resubscribe: false,
    // A command that could not be written at once is not written later.
    queueQoSZero: false,
    will: { topic: stateTopic(options.hostId), payload: Buffer.from(state(false)), qos: 1, retain: true },
    // The acknowledgement follows what was stored; without one the broker sends the message again.
    customHandleAcks(topic, bytes, packet, done) {
      take(topic, bytes, packet as IPublishPacket).then(
        () => done(0),
        (error) => {
          log.warn({ err: error, topic }, 'a message could not be stored; the broker is to send it again');
          client.stream.destroy();
        },
      );
    },
  };
  const client: MqttClient = connect(options.url, settings);

  client.on('message', (topic, bytes, packet) => {
    if (topic === stateTopic(options.hostId)) return keepState(bytes);
    // Those with an acknowledgement were taken before it.
    if (packet.qos > 0) return;
    take(topic, bytes, packet).catch((error) => log.warn({ err: error, topic }, 'a message of a device was not taken'));
  });
  client.on('connect', () => {
    losing?.();
    losing = null;
    log.info({ broker: where, clientId: options.clientId }, 'connected to the MQTT broker');
    client.subscribe(filters, { qos: 1 }, (error) => {
      if (error) log.error({ err: error }, 'the MQTT broker refuses our subscriptions');
      else client.publish(stateTopic(options.hostId), state(true), { qos: 1, retain: true });
    });
  });
  let losing: Cancel | null = null;
  client.on('offline', () => {
    log.warn({ broker: where }, 'the MQTT broker cannot be reached; it is tried again');
    losing ??= clock.after(LOST_MS, () => void lose('the MQTT broker cannot be reached'));
  });

  /** Ends the connections of all conversations; the next word of each begins it anew. */
  const lose = async (detail: string) => {
    const all = [...conversations.values()];
    conversations.clear();
    for (const one of all) one.stopServing();
    await Promise.all(all.map((one) => one.lost(detail)));
  };
  client.on('error', (error) => log.warn({ err: error, broker: where }, 'the MQTT broker'));

  /** Another node of ours that went away left its will: we are still here (Sparkplug 3.0, tck-id-host-topic-phid-...). */
  const keepState = (bytes: Buffer) => {
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
    async stop() {
      stopping = true;
      if (client.connected) {
        // A session that stays would be given its share, and keep it until this node is back.
        if (options.shareGroup !== undefined) await client.unsubscribeAsync(filters);
        await client.publishAsync(stateTopic(options.hostId), state(false), { qos: 1, retain: true });
      }
      await client.endAsync();
      losing?.();
      stop();
      await lose('the server stopped');
    },
  };
}

/** The conversation with whoever a first word comes from. */
function conversation(host: Host, word: UplinkTopic, remoteAddress: string): Omit<Conversation, 'stopServing'> {
  const from = { connection: null, remoteAddress };
  if (word.family === 'json') {
    const plain = new Plain(host);
    return {
      take: (one, arrival) =>
        one.family === 'json' ? plain.receive({ ...arrival, ...from, sn: one.sn, leaf: one.leaf }) : Promise.resolve(),
      idle: () => plain.idle,
      lost: (detail) => plain.lost(detail),
    };
  }
  const edge = new Edge(host, word.group, word.edge);
  return {
    take: (one, arrival) =>
      one.family === 'sparkplug'
        ? edge.receive({ ...arrival, ...from, type: one.type, device: one.device })
        : Promise.resolve(),
    idle: () => edge.idle,
    lost: (detail) => edge.lost(detail),
  };
}
