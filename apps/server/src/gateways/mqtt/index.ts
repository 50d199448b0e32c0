import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls';
import { LISTEN_BACKLOG } from '../../platform/http/listen.ts';
import type { HandshakeWatch } from '../../platform/tls/handshakes.ts';
import { subscribeOpened } from '../opened.ts';
import { type Broker, embeddedBroker } from './broker/broker.ts';
import type { Host } from './broker/host.ts';
import { type MqttParts, mqttHost } from './broker/host.ts';
import { type RemoteBroker, remoteBroker } from './broker/remote.ts';
import type { Downlink } from './command-encoder.ts';

export interface MqttOptions {
  /** an external broker instead of the embedded one */
  remote: { url: string; clientId: string; shareGroup?: string | undefined } | null;
  /** the name of this host in Sparkplug (STATE messages) */
  hostId: string;
  /** maximum message length in bytes */
  messageBytes: number;
  /** maximum number of connections to the embedded broker */
  connections: number;
}

/** A port for devices. */
export interface MqttPort {
  host: string;
  port: number;
  /** with a certificate the port uses TLS; with an authority it requires client certificates */
  tls: { cert: string; key: string; ca?: string } | null;
}

export interface MqttGateway {
  /** Opens a port of the embedded broker and returns its number. */
  listen(port: MqttPort): Promise<number>;
  /** Uses another certificate for new TLS connections. */
  useCertificate(tls: NonNullable<MqttPort['tls']>): void;
  /** Whether this process takes a share of the messages of an external broker. Without, other processes get all of them. */
  share(takes: boolean): void;
  /** Ends all connections with a reason and waits until that is stored. */
  stop(): Promise<void>;
}

/** The gateway for devices that speak MQTT 3.1.1: Sparkplug B 3.0, or plain JSON (docs/mqtt.md). */
export async function mqttGateway(
  parts: MqttParts & { handshakes?: HandshakeWatch },
  options: MqttOptions,
): Promise<MqttGateway> {
  const { hostId, messageBytes, connections } = options;
  let stopping = false;
  let broker: Broker | RemoteBroker | null = null;
  const publish = (message: Downlink) => broker?.publish(message) ?? Promise.resolve(false);
  const host: Host = mqttHost(parts, { messageBytes, publish, stopping: () => stopping });
  const unsubscribe = subscribeOpened(parts.bus, host.connectionOf, (connection) =>
    connection.end('replaced', 'the device opened a newer connection'),
  );
  const embedded = options.remote ? null : await embeddedBroker(host, { hostId, messageBytes, connections });
  broker = embedded ?? remoteBroker(host, { ...options.remote!, hostId });
  const servers: Server[] = [];
  const ticking = parts.clock.repeat(async () => host.tick(parts.clock.now().getTime()), {
    job: 'mqttCheck',
    everyMs: TICK_MS,
    log: parts.log,
    failed: 'silent devices could not be checked',
  });
  ticking.startLater();

  return {
    async listen({ host: address, port, tls }) {
      if (!embedded) throw new Error('An external broker has its own ports');
      const accept = (socket: Socket) => {
        // Without a keepalive, the silence of a device shows that it is gone.
        socket.setKeepAlive(true, TCP_KEEPALIVE_MS);
        socket.setNoDelay(true);
        embedded.accept(socket, socket.remoteAddress ?? 'unknown');
      };
      const server = tls
        ? createTlsServer({ ...tls, ...(tls.ca ? { requestCert: true, rejectUnauthorized: true } : {}) }, accept)
        : createServer(accept);
      if (server instanceof TlsServer) {
        parts.handshakes?.watch(server, ({ remoteAddress, reason }) =>
          parts.attempts.record({
            ...{ gateway: 'mqtt', remoteAddress, target: '*', protocols: null, deviceId: null, reason },
          }),
        );
      }
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, address, LISTEN_BACKLOG, resolve);
      });
      servers.push(server);
      return (server.address() as { port: number }).port;
    },
    useCertificate(tls) {
      for (const server of servers) if (server instanceof TlsServer) server.setSecureContext(tls);
    },
    share(takes) {
      if (broker && 'share' in broker) broker.share(takes);
    },
    async stop() {
      stopping = true;
      await ticking.stop();
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      await broker?.stop();
      unsubscribe();
      await Promise.all(closed);
    },
  };
}

const TCP_KEEPALIVE_MS = 60_000;
/** The interval between checks for silent devices. */
const TICK_MS = 2_000;
