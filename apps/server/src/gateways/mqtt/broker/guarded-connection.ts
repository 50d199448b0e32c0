import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** How a connection ended, as far as its bytes show. */
export interface ConnectionFacts {
  /** the client sent DISCONNECT (MQTT 3.1.1 §3.14) */
  sentDisconnect: boolean;
  /** why we closed it */
  cutOff: string | null;
}

/** First byte of DISCONNECT (MQTT 3.1.1 §3.14.1). */
const DISCONNECT = 0xe0;
/** The maximum number of bytes before authentication: a CONNECT with its will. */
const FIRST_PACKET_BYTES = 65_536;
/** Types of SUBSCRIBE and UNSUBSCRIBE: the upper half of their first byte (MQTT 3.1.1 §2.2.1). */
const SUBSCRIBE = 8;
const UNSUBSCRIBE = 10;
/** More filters than any device needs: the broker processes all filters of a packet at once. */
const SUBSCRIBE_BYTES = 8_192;
/**
 * The broker processes all packets that it can read at once, so it gets a few, and more in the next turn of the event
 * loop.
 */
const PACKETS_AT_ONCE = 64;

/**
 * A socket as the broker sees it. The parser of the broker has no limits, so this class reads the fixed headers of the
 * input (MQTT 3.1.1 §2.2), closes the connection before a packet that is too long is collected in memory, and passes on
 * a few packets at a time.
 */
export class GuardedConnection extends Duplex implements ConnectionFacts {
  sentDisconnect = false;
  cutOff: string | null = null;
  readonly #socket: Duplex;
  readonly #limit: number;
  #first = true;
  /** bytes of the current packet's body that are still missing */
  #left = 0;
  /** the header that is being read: null before its first byte, then the length so far */
  #header: { type: number; length: number; shift: number } | null = null;
  /** received chunks that were not passed on yet, each with at most the number of packets that are passed on at once */
  #slices: Buffer[] = [];
  /** the broker has read everything that was passed on */
  #hungry = false;
  #ended = false;

  constructor(socket: Duplex, limit: number) {
    // With such a low mark, more is requested only when everything was read.
    super({ allowHalfOpen: false, readableHighWaterMark: 1 });
    this.#socket = socket;
    this.#limit = limit;
    socket.on('data', (chunk: Buffer) => {
      const slices = this.#slicesOf(chunk);
      if (slices === null) {
        this.destroy();
        return;
      }
      this.#slices.push(...slices);
      socket.pause();
      if (this.#hungry) this.#handOver();
    });
    socket.on('end', () => {
      this.#ended = true;
      if (this.#hungry) this.#handOver();
    });
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  get socket(): Duplex | Socket {
    return this.#socket;
  }

  override _read(): void {
    setImmediate(() => this.#handOver());
  }

  #handOver(): void {
    if (this.destroyed) return;
    const slice = this.#slices.shift();
    this.#hungry = slice === undefined;
    if (slice !== undefined) this.push(slice);
    else if (this.#ended) this.push(null);
    else this.#socket.resume();
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

  /** The input, split after every few packets; null when a packet exceeds its maximum length. */
  #slicesOf(chunk: Buffer): Buffer[] | null {
    const slices: Buffer[] = [];
    let [start, packets] = [0, 0];
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const step = Math.min(this.#left, chunk.length - at);
        this.#left -= step;
        at += step;
      } else {
        const byte = chunk[at] as number;
        at += 1;
        if (!this.#readHeader(byte)) return null;
      }
      if (this.#left > 0 || this.#header !== null) continue;
      packets += 1;
      if (packets % PACKETS_AT_ONCE > 0) continue;
      slices.push(chunk.subarray(start, at));
      start = at;
    }
    if (start < chunk.length) slices.push(chunk.subarray(start));
    return slices;
  }

  /** Reads a byte of a fixed header. False when its packet exceeds its maximum length. */
  #readHeader(byte: number): boolean {
    if (this.#header === null) {
      if (byte === DISCONNECT) this.sentDisconnect = true;
      this.#header = { type: byte >> 4, length: 0, shift: 0 };
      return true;
    }
    this.#header.length += (byte & 0x7f) * 2 ** this.#header.shift;
    this.#header.shift += 7;
    if (byte >= 0x80 && this.#header.shift < 28) return true;
    const { type, length } = this.#header;
    const limit = Math.min(this.#limitOf(type), this.#limit);
    if (length > limit) {
      this.cutOff = `a packet is longer than ${limit} bytes`;
      return false;
    }
    this.#left = length;
    this.#header = null;
    this.#first = false;
    return true;
  }

  #limitOf(type: number): number {
    if (this.#first) return FIRST_PACKET_BYTES;
    return type === SUBSCRIBE || type === UNSUBSCRIBE ? SUBSCRIBE_BYTES : this.#limit;
  }
}
