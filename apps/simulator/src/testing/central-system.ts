import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RPCServer } from 'ocpp-rpc';

/** A CALL that a charge point has sent. */
export interface SeenCall {
  sn: string;
  id: string;
  action: string;
  payload: Record<string, unknown>;
}

type Connection = {
  call(action: string, payload: object): Promise<Record<string, unknown>>;
  sendRaw(text: string): void;
  on(event: string, listener: (seen: never) => void): void;
  close(options: object): Promise<unknown>;
};
type Reply = (call: SeenCall) => object | Promise<object>;

/** Timeout of a test that waits for something. */
const TIMEOUT_MS = 30_000;

/**
 * An independent central system (`ocpp-rpc`) in strict mode: messages of a charge point that violate the schemas of its
 * OCPP version are recorded in `violations`. It records what it receives and lets tests wait for it.
 */
export class CentralSystem {
  readonly calls: SeenCall[] = [];
  readonly violations: string[] = [];
  /** Received texts, including responses. */
  readonly texts: string[] = [];
  readonly connects: string[] = [];
  /** The maximum number of calls of one charge point that were open at the same time. */
  mostOpen = 0;
  /** The responses; tests can replace them. */
  readonly replies: Record<string, Reply> = {
    BootNotification: () => ({ status: 'Accepted', currentTime: new Date().toISOString(), interval: 3600 }),
    Heartbeat: () => ({ currentTime: new Date().toISOString() }),
    Authorize: () => ({ idTagInfo: { status: 'Accepted' } }),
    StartTransaction: () => ({ transactionId: ++this.#transactions, idTagInfo: { status: 'Accepted' } }),
    DataTransfer: () => ({ status: 'Accepted' }),
  };
  password: string | null = null;
  url = '';
  readonly #server = new RPCServer({ protocols: ['ocpp1.6', 'ocpp2.0.1'], strictMode: true });
  readonly #connections = new Map<string, Connection>();
  readonly #watchers = new Set<() => void>();
  #transactions = 100;

  static async start(): Promise<CentralSystem> {
    const central = new CentralSystem();
    const server = await central.#server.listen(0, '127.0.0.1');
    if (!server.listening) await once(server, 'listening');
    central.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ocpp`;
    return central;
  }

  private constructor() {
    this.#server.auth((accept, reject, handshake) => {
      const given = handshake.password?.toString();
      if (this.password === null || given === this.password) accept({});
      else reject(401, 'wrong password');
    });
    this.#server.on('client', (client) => this.#accept(client.identity, client));
  }

  /** Handles the WebSocket requests of another HTTP server, for example one with TLS. */
  serve(server: Server): void {
    server.on('upgrade', this.#server.handleUpgrade);
  }

  /** The calls of one charge point, in the order of receipt. */
  of(sn: string): SeenCall[] {
    return this.calls.filter((call) => call.sn === sn);
  }

  /** The actions of one charge point in order; StatusNotification with connector and status. */
  framesOf(sn: string): string[] {
    return this.of(sn).map(({ action, payload }) => {
      if (action === 'StatusNotification') return `${payload.connectorId} ${payload.status}`;
      if (/StatusNotification$/.test(action)) return `${action} ${payload.status}`;
      return action;
    });
  }

  /** Resolves when `is` returns true; checked after every received message. */
  async until(what: string, is: () => boolean, timeoutMs = TIMEOUT_MS): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const check = (): void => {
      if (is()) resolve();
    };
    const timer = setTimeout(() => reject(new Error(`timed out waiting for: ${what}`)), timeoutMs);
    this.#watchers.add(check);
    check();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#watchers.delete(check);
    }
  }

  /** Resolves with the first matching call, already received or not. */
  async seen(sn: string, action: string, fits: Partial<Record<string, unknown>> = {}, nth = 1): Promise<SeenCall> {
    const find = (): SeenCall | undefined =>
      this.of(sn).filter(
        (call) => call.action === action && Object.entries(fits).every(([name, value]) => call.payload[name] === value),
      )[nth - 1];
    await this.until(`${action} ${JSON.stringify(fits)} of ${sn}`, () => find() !== undefined);
    return find() as SeenCall;
  }

  /** Sends a call to a charge point and resolves with the response; rejects with its CALLERROR. */
  call(sn: string, action: string, payload: object = {}): Promise<Record<string, unknown>> {
    return this.#connection(sn).call(action, payload);
  }

  /** Sends any text to a charge point. */
  send(sn: string, text: string): void {
    this.#connection(sn).sendRaw(text);
  }

  /** Sends any text to a charge point and resolves with the next text that starts with `answer`. */
  async exchange(sn: string, text: string, answer: string): Promise<unknown[]> {
    this.send(sn, text);
    const find = (): string | undefined => this.texts.find((received) => received.startsWith(answer));
    await this.until(`${answer} after ${text}`, () => find() !== undefined);
    return JSON.parse(find() as string) as unknown[];
  }

  async stop(): Promise<void> {
    await this.#server.close({ force: true });
  }

  #connection(sn: string): Connection {
    const connection = this.#connections.get(sn);
    if (connection === undefined) throw new Error(`${sn} is not connected`);
    return connection;
  }

  #accept(sn: string, connection: Connection & { handle(handler: (call: never) => unknown): void }): void {
    this.connects.push(sn);
    this.#connections.set(sn, connection);
    let open = 0;
    connection.on('strictValidationFailure', (failure: { method: string; outbound: boolean; error: Error }) => {
      if (!failure.outbound) this.violations.push(`${sn} ${failure.method}: ${failure.error.message}`);
    });
    connection.on('message', ({ message, outbound }: { message: unknown; outbound: boolean }) => {
      if (!outbound) this.texts.push(String(message));
      this.#notify();
    });
    connection.on('close', () => {
      if (this.#connections.get(sn) === connection) this.#connections.delete(sn);
      this.#notify();
    });
    connection.handle(async ({ messageId, method, params }: { messageId: string; method: string; params: object }) => {
      const call = { sn, id: messageId, action: method, payload: params as Record<string, unknown> };
      this.calls.push(call);
      this.mostOpen = Math.max(this.mostOpen, ++open);
      this.#notify();
      try {
        return await (this.replies[method]?.(call) ?? {});
      } finally {
        open--;
      }
    });
    this.#notify();
  }

  #notify(): void {
    for (const check of this.#watchers) check();
  }
}
