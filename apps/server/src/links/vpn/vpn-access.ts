import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Bus } from '../../platform/bus/bus.ts';
import { sessionEnded } from '../../ports/sessions.ts';
import type { Activity } from '../activity/activity.ts';
import { newKeyPair } from '../gateway/key-pair.ts';
import type { GatewayUser } from '../gateway/ssh-gateway.ts';
import { DEVICE_HOST } from './ssh-config.ts';

/** SSH connections of users to the gateway, and connections to the device in them, for one link. */
const MAX_SOCKETS = 20;
const MAX_CONNECTIONS = 50;
/** Unlike a ticket, which belongs to a user `<SN>.<link>`, this name has no dot. */
const USER = /^vpn-([1-9]\d{0,9})$/;

export type VpnAccess = ReturnType<typeof vpnAccess>;

interface Access {
  port: number;
  /** SHA-256 of the public key */
  hash: Buffer;
  sockets: Set<Socket>;
  /** Each records the end of its connection. */
  cancels: Set<() => void>;
  leave(): void;
}

/**
 * The keys of open VPN links, in memory: a link does not survive the process. A key is valid until its link or the session
 * of its user ends, or another key replaces it. Then its connections are closed.
 */
export function vpnAccess({
  bus,
  activity,
  connect,
}: {
  bus: Bus;
  activity: Pick<Activity, 'begin'>;
  connect(linkId: number, port: number): Promise<Duplex>;
}) {
  const keys = new Map<number, Access>();

  function endOf(linkId: number): void {
    const access = keys.get(linkId);
    if (!access) return;
    keys.delete(linkId);
    access.leave();
    for (const cancel of access.cancels) cancel();
    for (const socket of access.sockets) socket.destroy();
  }

  /** Joins a channel of a user with the port of the device, and records it. */
  async function pass(
    linkId: number,
    access: Access,
    from: string,
    wanted: { address: string; port: number },
    channelOf: { accept(): Duplex; reject(): void },
  ): Promise<void> {
    const permitted = wanted.address === DEVICE_HOST && wanted.port === access.port;
    const running = activity.begin(linkId, 'connection', `${from} → ${wanted.address}:${wanted.port}`);
    if (!permitted || !running || access.cancels.size >= MAX_CONNECTIONS) {
      running?.end('refused');
      return channelOf.reject();
    }
    let bytesIn = 0;
    let bytesOut = 0;
    const end = (result: 'done' | 'cancelled' | 'failed') => {
      access.cancels.delete(cancel);
      running.end(result, { bytesIn, bytesOut });
    };
    const cancel = () => end('cancelled');
    access.cancels.add(cancel);
    let device: Duplex;
    try {
      device = await connect(linkId, access.port);
    } catch {
      end('failed');
      return channelOf.reject();
    }
    if (!access.cancels.has(cancel)) {
      device.destroy();
      return channelOf.reject();
    }
    const channel = channelOf.accept();
    device.on('data', (data: Buffer) => {
      bytesIn += data.length;
    });
    channel.on('data', (data: Buffer) => {
      bytesOut += data.length;
    });
    for (const [one, other] of [
      [device, channel],
      [channel, device],
    ] as const) {
      one.on('error', () => one.destroy());
      one.once('close', () => {
        end('done');
        other.destroy();
      });
      one.pipe(other);
    }
  }

  return {
    /** The user of the gateway for a link. */
    userOf: (linkId: number) => `vpn-${linkId}`,

    /** Creates the key of a link. An earlier one becomes invalid. @returns the private key, which is kept nowhere */
    create({ sessionId }: { sessionId: string }, { linkId, port }: { linkId: number; port: number }): string {
      endOf(linkId);
      const pair = newKeyPair(`chargehand-${linkId}`);
      const publicKey = Buffer.from(pair.public.split(' ')[1] ?? '', 'base64');
      const leave = bus.subscribe(sessionEnded(sessionId), () => endOf(linkId));
      keys.set(linkId, { port, hash: hashOf(publicKey), sockets: new Set(), cancels: new Set(), leave });
      return pair.private;
    },

    /** The user of the gateway who has this public key; null when there is none. */
    userWith(name: string, publicKey: Buffer): GatewayUser | null {
      const linkId = Number(USER.exec(name)?.[1]);
      const access = keys.get(linkId);
      if (!access || !timingSafeEqual(access.hash, hashOf(publicKey))) return null;
      return {
        linkId,
        enter(socket) {
          // The link may have ended while the signature was checked.
          if (keys.get(linkId) !== access || access.sockets.size >= MAX_SOCKETS) return false;
          access.sockets.add(socket);
          socket.once('close', () => access.sockets.delete(socket));
          return true;
        },
        pass: (from, wanted, channelOf) => void pass(linkId, access, from, wanted, channelOf),
      };
    },

    /** Closes the connections of a link, and forgets its key. */
    endOf,
  };
}

/** True for names of users of the gateway, who have keys instead of tickets. */
export function isVpnUser(name: string): boolean {
  return USER.test(name);
}

function hashOf(publicKey: Buffer): Buffer {
  return createHash('sha256').update(publicKey).digest();
}
