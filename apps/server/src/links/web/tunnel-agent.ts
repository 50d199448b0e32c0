import { Agent, type AgentOptions, type ClientRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { Cancel, Clock } from '../../platform/clock.ts';
import { usesTls } from './headers.ts';

/** A connection that no request has used for this time is closed. */
const IDLE_MS = 15_000;

/** Connections of HTTP requests through the tunnel of a link. */
export class TunnelAgent extends Agent {
  readonly #connect: () => Promise<Duplex>;
  readonly #clock: Clock;
  readonly #idle = new WeakMap<Duplex, Cancel>();

  constructor(options: AgentOptions, clock: Clock, connect: () => Promise<Duplex>) {
    super(options);
    this.#clock = clock;
    this.#connect = connect;
  }

  override createConnection(_options: unknown, opened?: (error: Error | null, stream: Duplex) => void): undefined {
    this.#connect().then(
      (stream) => {
        // The device will not use the connection any more.
        stream.once('end', () => stream.end());
        opened?.(null, stream);
      },
      (error: Error) => opened?.(error, undefined as never),
    );
  }

  override keepSocketAlive(stream: Duplex): boolean {
    this.#idle.set(
      stream,
      this.#clock.after(IDLE_MS, () => stream.destroy()),
    );
    return true;
  }

  override reuseSocket(stream: Duplex, request: ClientRequest): void {
    // Node's own part works with sockets, which have a function that channels of SSH lack.
    super.reuseSocket(Object.assign(stream, { ref: () => stream }), request);
    this.#idle.get(stream)?.();
  }
}

/**
 * A connection to the pages of a device. Its certificate is not checked: it is self-signed as a rule, and the tunnel
 * leads to the device itself.
 */
export async function connectToPages(connect: () => Promise<Duplex>, port: number): Promise<Duplex> {
  const stream = await connect();
  if (!usesTls(port)) return stream;
  const secured = connectTls({
    ...{ socket: stream, rejectUnauthorized: false, minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' },
    ALPNProtocols: ['http/1.1'],
  });
  return await new Promise((resolve, reject) => {
    secured.once('secureConnect', () => {
      secured.off('error', reject);
      resolve(secured);
    });
    secured.once('error', reject);
    secured.once('close', () => reject(new Error('the device closed the connection')));
  });
}
