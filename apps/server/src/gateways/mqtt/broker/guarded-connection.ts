import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** How a connection ended, as far as its bytes tell. */
export interface ConnectionFacts {
  /** the client said goodbye (MQTT 3.1.1 §3.14) */
  sentDisconnect: boolean;
  /** why we cut it off */
  cutOff: string | null;
}

/** First byte of DISCONNECT (MQTT 3.1.1 §3.14.1). */
const DISCONNECT = 0xe0;
/** What is accepted before anybody said who they are: a CONNECT with its will. */
const FIRST_PACKET_BYTES = 65_536;

/**
 * A socket as the broker sees it. It walks over the fixed headers of what comes in (MQTT 3.1.1 §2.2) and cuts the
 * connection before a packet that is too long is gathered in memory: the broker's parser knows no bound.
 */
export class GuardedConnection extends Duplex implements ConnectionFacts {
  sentDisconnect = false;
  cutOff: string | null = null;
  readonly #socket: Duplex;
  readonly #limit: number;
  #first = true;
  /** bytes of the present packet's body that are still to come */
  #left = 0;
  /** the header that is being read: null before its first byte, then the length so far */
  #header: { length: number; shift: number } | null = null;

  constructor(socket: Duplex, limit: number) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    this.#limit = limit;
    socket.on('data', (chunk: Buffer) => {
      if (!this.#walk(chunk)) {
        this.destroy();
        return;
      }
      if (!this.push(chunk)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  get socket(): Duplex | Socket {
    return this.#socket;
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#socket.end(callback);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#socket.destroy();
    callback(error);
  }

  /** False when a packet is longer than it may be. */
  #walk(chunk: Buffer): boolean {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const step = Math.min(this.#left, chunk.length - at);
        this.#left -= step;
        at += step;
        continue;
      }
      const byte = chunk[at] as number;
      at += 1;
      if (this.#header === null) {
        if (byte === DISCONNECT) this.sentDisconnect = true;
        this.#header = { length: 0, shift: 0 };
        continue;
      }
      this.#header.length += (byte & 0x7f) * 2 ** this.#header.shift;
      this.#header.shift += 7;
      if (byte >= 0x80 && this.#header.shift < 28) continue;
      const limit = this.#first ? Math.min(FIRST_PACKET_BYTES, this.#limit) : this.#limit;
      if (this.#header.length > limit) {
        this.cutOff = `a packet is longer than ${limit} bytes`;
        return false;
      }
      this.#left = this.#header.length;
      this.#header = null;
      this.#first = false;
    }
    return true;
  }
}
