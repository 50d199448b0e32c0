import { connect as connectSocket, type Socket } from 'node:net';

/** An MQTT 3.1.1 client that writes any packets, valid or not. */
export interface MqttAttacker {
  /** Writes raw bytes. Resolves when they are written to the socket. */
  write(bytes: Buffer): Promise<void>;
  /** Publishes with QoS 1. Resolves when that was acknowledged, or the connection was closed. */
  publish(topic: string, payload: Buffer | string): Promise<void>;
  end(): void;
}

/** A packet: its first byte, its remaining length and its content (MQTT 3.1.1 §2). */
export function packet(first: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length: number[] = [];
  let left = content.length;
  do {
    length.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    left >>= 7;
  } while (left > 0);
  return Buffer.concat([Buffer.of(first, ...length), content]);
}

/** A text with its length prefix (MQTT 3.1.1 §1.5.3). */
export function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([number(bytes.length), bytes]);
}

/** A number of 16 bits. */
export function number(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

/** A PUBLISH packet; with an id it has QoS 1. */
export function publishPacket(topic: string, payload: Buffer | string, id?: number): Buffer {
  const parts = [text(topic), ...(id === undefined ? [] : [number(id)]), Buffer.from(payload)];
  return packet(id === undefined ? 0x30 : 0x32, ...parts);
}

/** Connects and signs in. @throws when the broker refuses */
export async function connectAttacker(port: number, sn: string, password: string): Promise<MqttAttacker> {
  const socket: Socket = connectSocket({ port, host: '127.0.0.1' });
  const acknowledged = new Map<number, () => void>();
  // An error means that the broker has closed the connection.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const header = Buffer.of(4, 0b1100_0010, 0, 0);
  socket.write(packet(0x10, text('MQTT'), header, text(sn), text(sn), text(password)));
  const welcomed = Promise.withResolvers<number>();
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let next = wholePacket(rest); next !== null; next = wholePacket(rest)) {
      if (rest[0] === 0x20) welcomed.resolve(rest[3] as number);
      if (rest[0] === 0x40) acknowledged.get(rest.readUInt16BE(2))?.();
      rest = rest.subarray(next);
    }
  });
  const refusal = await Promise.race([welcomed.promise, closed]);
  if (refusal !== 0) throw new Error(`The broker refused ${sn}: ${refusal ?? 'it ended the connection'}`);
  let id = 60_000;
  const write = (bytes: Buffer) => new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  return {
    write,
    async publish(topic, payload) {
      id = id === 65_535 ? 60_001 : id + 1;
      const mine = id;
      const answer = new Promise<void>((resolve) => acknowledged.set(mine, resolve));
      void write(publishPacket(topic, payload, mine));
      await Promise.race([answer, closed]);
    },
    end: () => void socket.destroy(),
  };
}

/** The length of the packet at the start of a buffer; null when it is incomplete. */
function wholePacket(bytes: Buffer): number | null {
  let length = 0;
  for (let at = 1; at < Math.min(bytes.length, 5); at += 1) {
    const byte = bytes[at] as number;
    length += (byte & 0x7f) * 2 ** (7 * (at - 1));
    if (byte < 0x80) return at + 1 + length <= bytes.length ? at + 1 + length : null;
  }
  return null;
}
