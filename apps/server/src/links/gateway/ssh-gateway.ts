import { createServer, type Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { FORWARD_ADDRESS, permitsForward, type TicketFault } from '@chargehand/domain';
import ssh2, { type AuthContext, type Connection, type PublicKeyAuthContext } from 'ssh2';
import { type Clock, pause } from '../../platform/clock.ts';
import { addressGroup, type GuessLimit } from '../../platform/guess-limit.ts';
import { LISTEN_BACKLOG } from '../../platform/http/listen.ts';
import type { Log } from '../../platform/log.ts';
import { linkBytes, openLinks, refusedTickets } from '../metrics.ts';
import { fastPackets, joinWrites } from './fast-ssh.ts';
import { offeredHostKeys, publicLine } from './host-keys.ts';
import { readProxyHeader } from './proxy-header.ts';
import { refusalLog } from './refusal-log.ts';

/** A device has this long to sign in, and then to open its forwards. */
const SIGN_IN_MS = 20_000;
/** Connections that have not signed in: of all addresses, and of one. */
const MAX_STRANGERS = 500;
const MAX_STRANGERS_OF_ADDRESS = 20;
/** Wrong passwords in one connection. */
const MAX_ATTEMPTS = 3;
/**
 * OpenSSH prefers this cipher. In Node it is several times slower than AES, which all clients have too, and which the
 * CPUs of servers accelerate.
 */
const SLOW_CIPHERS = ['chacha20-poly1305@openssh.com'] as const;
/** Key exchanges that take several times longer than the others, before a client has signed in. */
const SLOW_EXCHANGES = [
  'diffie-hellman-group-exchange-sha256',
  'diffie-hellman-group15-sha512',
  'diffie-hellman-group16-sha512',
  'diffie-hellman-group17-sha512',
  'diffie-hellman-group18-sha512',
] as const;
/** A device that does not answer for a minute is gone. */
const KEEPALIVE_MS = 15_000;
/** The keys of users are created by this server. */
const KEY_TYPE = 'ssh-ed25519';

/** The link that a device opens with its ticket. */
export interface AdmittedLink {
  linkId: number;
  /** the ports that it may forward */
  ports: readonly number[];
}

/** A user of a VPN link who has its key. */
export interface GatewayUser {
  linkId: number;
  /** The user has signed in. The socket is destroyed when the key becomes invalid. False: too many connections */
  enter(socket: Socket): boolean;
  /** Passes a channel of the user on, or rejects it. */
  pass(from: string, wanted: { address: string; port: number }, channelOf: { accept(): Duplex; reject(): void }): void;
}

export interface SshGatewayParts {
  /** private Ed25519 key, in the format of OpenSSH */
  hostKey: string;
  /** private keys of other kinds, for clients without Ed25519 */
  otherHostKeys?: readonly string[];
  host: string;
  port: number;
  /** Uses the ticket of a device. */
  admit(attempt: { user: string; ticket: string; address: string }): Promise<AdmittedLink | TicketFault>;
  /** True for names of users of VPN links. They have keys instead of tickets. */
  isUser(name: string): boolean;
  /** The user of a VPN link with this public key; null when there is none. */
  userWith(name: string, publicKey: Buffer): GatewayUser | null;
  /** The device has opened all forwards of its link. */
  onOpen(linkId: number): void;
  /** The connection of the device has ended. `lost`: it did not answer any more. */
  onClosed(linkId: number, lost: boolean): void;
  guesses: GuessLimit;
  /** True for the address of a proxy that sends the address of its client first. */
  isProxy?(address: string | undefined): boolean;
  /** a device that does not answer four times as long is gone; default 15 seconds */
  keepaliveMs?: number;
  clock: Clock;
  log: Log;
}

export interface SshGateway {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The port on which it listens; null before the start. */
  port(): number | null;
  /** The line of `known_hosts` with its public key, without the name of the host. */
  publicKey: string;
  /** the same of all its keys */
  publicKeys: readonly string[];
  /** Closes the connection of a device at once. */
  close(linkId: number): void;
  /** Connects to a port of the device. @throws {Error} if the link is not open, or the device refuses */
  connect(linkId: number, port: number): Promise<Duplex>;
  /** The bytes that were received from the device and sent to it; null without a connection. */
  traffic(linkId: number): { bytesIn: number; bytesOut: number } | null;
}

interface Tunnel {
  linkId: number;
  connection: Connection;
  socket: Socket;
  /** the forwards of the link by port, with the address that the device named */
  forwards: Map<number, string>;
}

/**
 * The SSH server for reverse tunnels of devices. It has one port and opens none for a device: it accepts tickets as
 * passwords and the forwards of their links, and refuses everything else. Users of VPN links sign in with their key, and reach only the port
 * of their link.
 */
export function sshGateway(parts: SshGatewayParts): SshGateway {
  const { admit, isUser, userWith, onOpen, onClosed, guesses, clock, log } = parts;
  const tunnels = new Map<number, Tunnel>();
  /** by the address and port of the other side, which is a proxy or the client */
  const sockets = new Map<string, Socket>();
  const strangers = new Map<Socket, string>();
  const refused = refusalLog({ log, clock });
  /** the addresses of clients */
  const addresses = new WeakMap<Socket, string>();
  const keys = [parts.hostKey, ...(parts.otherHostKeys ?? [])].map((one) => {
    const key = ssh2.utils.parseKey(one);
    if (key instanceof Error) throw key;
    return key;
  });
  const publicKeys = keys.map(publicLine);

  const server = new ssh2.Server(
    {
      ...{
        hostKeys: offeredHostKeys(keys) as never,
        ident: 'Chargehand',
        keepaliveInterval: parts.keepaliveMs ?? KEEPALIVE_MS,
      },
      algorithms: {
        cipher: { remove: [...SLOW_CIPHERS], append: [], prepend: [] },
        kex: { remove: [...SLOW_EXCHANGES], append: [], prepend: [] },
        // A few bytes of a stranger could become megabytes.
        compress: ['none'],
      },
    },
    (connection, { ip, port }) => {
      const socket = sockets.get(nameOf(ip, port));
      if (!socket) return void connection.end();
      fastPackets(connection);
      serve(connection, socket);
    },
  );
  // ssh2's own listener leaves Nagle's algorithm on, which delays each key press by some 40 ms.
  const listener: NetServer = createServer({ noDelay: true }, (socket) => {
    const remote = socket.remoteAddress ?? '';
    const isProxied = parts.isProxy?.(remote) ?? false;
    if (!isProxied && isCrowded(remote)) return turnAway(socket, remote);
    makeRoom();
    const name = nameOf(socket.remoteAddress, socket.remotePort);
    sockets.set(name, socket);
    strangers.set(socket, isProxied ? '' : addressGroup(remote));
    const cancel = clock.after(SIGN_IN_MS, () => {
      if (strangers.has(socket)) socket.destroy();
    });
    socket.once('close', () => {
      cancel();
      sockets.delete(name);
      strangers.delete(socket);
    });
    if (isProxied) void injectProxied(socket, remote);
    else server.injectSocket(joinWrites(socket));
  });

  /** True if there are too many clients of this address that have not signed in. */
  function isCrowded(address: string): boolean {
    const group = addressGroup(address);
    return [...strangers.values()].filter((one) => one === group).length >= MAX_STRANGERS_OF_ADDRESS;
  }

  /** A device signs in within a second. The oldest connection has probably no ticket, and must not keep others out. */
  function makeRoom(): void {
    if (strangers.size < MAX_STRANGERS) return;
    const [oldest] = strangers.keys();
    if (!oldest) return;
    const address = addresses.get(oldest) ?? oldest.remoteAddress;
    refused({ address }, 'a connection was closed because too many have not signed in');
    strangers.delete(oldest);
    oldest.destroy();
  }

  function turnAway(socket: Socket, address: string): void {
    refused({ address }, 'too many connections of devices that have not signed in');
    socket.destroy();
  }

  async function injectProxied(socket: Socket, proxy: string): Promise<void> {
    // ssh2 listens later.
    socket.on('error', () => undefined);
    const client = await readProxyHeader(socket);
    if (client === null) {
      if (!socket.destroyed) refused({ address: proxy }, 'a proxy sent no address of its client');
      return void socket.destroy();
    }
    if (isCrowded(client)) return turnAway(socket, client);
    addresses.set(socket, client);
    strangers.set(socket, addressGroup(client));
    server.injectSocket(joinWrites(socket));
    socket.resume();
  }

  function serve(connection: Connection, socket: Socket): void {
    const address = addresses.get(socket) ?? socket.remoteAddress ?? '';
    let tunnel: Tunnel | null = null;
    let user: GatewayUser | null = null;
    let ports: readonly number[] = [];
    let attempts = 0;
    let lost = false;

    /**
     * Tickets and keys are random and cannot be guessed. Guesses for a name from other addresses must not keep out its
     * device, so all limits are of the address.
     */
    const permission = (name: string) =>
      guesses.check(address, `${name} ${addressGroup(address)}`, false, clock.now().getTime());

    async function signIn(context: AuthContext): Promise<void> {
      if (context.method === 'publickey' && isUser(context.username)) return await signInUser(context);
      if (context.method !== 'password') return context.reject([isUser(context.username) ? 'publickey' : 'password']);
      const { username, password } = context;
      const check = permission(username);
      if (!check) return refuse(context, username, 'tooMany');
      if (check.delayMs > 0) await pause(clock, check.delayMs);
      const admitted = await admit({ user: username, ticket: password, address });
      if (typeof admitted === 'string') return refuse(context, username, admitted);
      check.right();
      strangers.delete(socket);
      ports = admitted.ports;
      tunnel = { linkId: admitted.linkId, connection, socket, forwards: new Map() };
      tunnels.set(tunnel.linkId, tunnel);
      openLinks.set(tunnels.size);
      if (socket.destroyed) return left();
      clock.after(SIGN_IN_MS, () => {
        if (tunnel && tunnel.forwards.size < ports.length) socket.destroy();
      });
      context.accept();
    }

    async function signInUser(context: PublicKeyAuthContext): Promise<void> {
      const { username, key: offered, signature } = context;
      const check = permission(username);
      if (!check) return refuse(context, username, 'tooMany');
      if (check.delayMs > 0) await pause(clock, check.delayMs);
      const found = offered.algo === KEY_TYPE ? userWith(username, offered.data) : null;
      // Clients first ask without a signature whether a key would be accepted.
      if (!found || (signature && !isSigned(context))) return refuse(context, username, 'wrong');
      check.right();
      if (signature) {
        if (!found.enter(socket)) return refuse(context, username, 'tooMany');
        strangers.delete(socket);
        user = found;
      }
      context.accept();
    }

    function refuse(context: AuthContext, user: string, reason: TicketFault | 'tooMany'): void {
      attempts += 1;
      refusedTickets.inc({ reason });
      refused({ address, user, reason }, 'the ticket or key of a link was refused');
      if (attempts >= MAX_ATTEMPTS || reason === 'tooMany') connection.end();
      else context.reject([isUser(user) ? 'publickey' : 'password']);
    }

    function left(): void {
      const gone = tunnel;
      tunnel = null;
      if (!gone || tunnels.get(gone.linkId) !== gone) return;
      tunnels.delete(gone.linkId);
      openLinks.set(tunnels.size);
      linkBytes.inc({ direction: 'in' }, gone.socket.bytesRead);
      linkBytes.inc({ direction: 'out' }, gone.socket.bytesWritten);
      onClosed(gone.linkId, lost);
    }

    connection.on('authentication', (context) => {
      signIn(context).catch((error: Error) => {
        log.error({ err: error }, 'a device could not sign in for a link');
        connection.end();
      });
    });
    connection.on('request', (accept, reject, name, info) => {
      const refuseRequest = () => {
        refused({ address, linkId: (tunnel ?? user)?.linkId, request: name, forward: info }, 'a request was refused');
        reject?.();
      };
      if (!tunnel || name !== 'tcpip-forward') return refuseRequest();
      const forward = { address: info.bindAddr, port: info.bindPort };
      if (!permitsForward(ports, forward) || tunnel.forwards.has(forward.port)) return refuseRequest();
      // `forwardOut` must name the address as the device did, or OpenSSH answers that it has no such forward.
      tunnel.forwards.set(forward.port, forward.address);
      accept?.();
      if (tunnel.forwards.size === ports.length) onOpen(tunnel.linkId);
    });
    // A device opens no channels towards the server: no shells, no connections, no agents. Users of VPN links open
    // connections to their device.
    const refuseChannel = (channel: string, reject: () => void) => {
      refused({ address, linkId: (tunnel ?? user)?.linkId, channel }, 'a channel was refused');
      reject();
    };
    connection.on('tcpip', (accept, reject, { destIP, destPort }) => {
      if (user) user.pass(address, { address: destIP, port: destPort }, { accept, reject });
      else refuseChannel('tcpip', reject);
    });
    for (const channel of ['session', 'openssh.streamlocal'] as const)
      connection.on(channel as 'session', (_accept, reject) => refuseChannel(channel, reject));
    connection.on('error', (error) => {
      log.debug({ err: error, address }, 'the SSH connection of a device failed');
      lost ||= (error as { level?: string }).level === 'client-timeout';
      // A device that is gone never confirms the end of the connection, for which ssh2 would wait.
      socket.destroy();
    });
    socket.once('close', left);
    connection.on('close', left);
  }

  return {
    publicKey: publicKeys[0] ?? '',
    publicKeys,
    async start() {
      await new Promise<void>((resolve, reject) => {
        listener.once('error', reject);
        listener.listen(parts.port, parts.host, LISTEN_BACKLOG, () => {
          listener.off('error', reject);
          resolve();
        });
      });
    },
    async stop() {
      if (!listener.listening) return;
      const closed = new Promise<void>((resolve) => {
        listener.close(() => resolve());
      });
      tunnels.clear();
      openLinks.set(0);
      for (const socket of sockets.values()) socket.destroy();
      await closed;
    },
    port: () => portOf(listener),
    close(linkId) {
      tunnels.get(linkId)?.socket.destroy();
    },
    connect(linkId, port) {
      return new Promise((resolve, reject) => {
        const tunnel = tunnels.get(linkId);
        const address = tunnel?.forwards.get(port);
        if (!tunnel || address === undefined) return reject(new Error(`link ${linkId} does not reach port ${port}`));
        tunnel.connection.forwardOut(address, port, FORWARD_ADDRESS, 0, (error, channel) => {
          if (error) reject(error);
          else resolve(channel);
        });
      });
    },
    traffic(linkId) {
      const tunnel = tunnels.get(linkId);
      return tunnel ? { bytesIn: tunnel.socket.bytesRead, bytesOut: tunnel.socket.bytesWritten } : null;
    },
  };
}

/** True if the client has the private key that belongs to the key which it offers. */
function isSigned({ key, blob, signature, hashAlgo }: PublicKeyAuthContext): boolean {
  const parsed = ssh2.utils.parseKey(`${key.algo} ${key.data.toString('base64')}`);
  if (parsed instanceof Error || !blob || !signature) return false;
  return parsed.verify(blob, signature, hashAlgo) === true;
}

function nameOf(address: string | undefined, port: number | undefined): string {
  return `${address} ${port}`;
}

function portOf(listener: NetServer): number | null {
  const address = listener.address();
  return typeof address === 'object' && address !== null ? address.port : null;
}
