import { randomUUID } from 'node:crypto';
import WebSocket from 'ws';
import { callText, readFrame } from '../wire/wire.ts';
import { differencesOf, later } from './differences.ts';
import type { RecordedFrame } from './recording.ts';
import type { Ledger, ReplayedDevice, ReplayOptions } from './replayed-device.ts';

/** Numbers of the server that differ in a replay. */
const NEW_NUMBERS = new Set(['transactionId']);

/** The server sends commands with the ID of their execution, and its own requests with other IDs. */
const COMMAND_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Frame = ReturnType<typeof readFrame>;

/** A charge point of a recording. */
export class OcppReplay implements ReplayedDevice {
  readonly #sn: string;
  readonly #options: ReplayOptions;
  readonly #ledger: Ledger;
  readonly #protocol: string;
  /** the recorded responses of the server, by the message ID of the request */
  readonly #recorded = new Map<string, { frame: RecordedFrame; read: Frame }>();
  /**
   * The recorded requests of the server that did not come again yet, with the response of the device. `command`: somebody
   * gave it, so nobody expects it again.
   */
  readonly #requests: { frame: RecordedFrame; action: string; answer: RecordedFrame | undefined; command: boolean }[] =
    [];
  readonly #waiting = new Map<string, (answer: Frame) => void>();
  /** transaction IDs of the recording, with those of now */
  readonly #transactions = new Map<unknown, unknown>();
  #settle: (() => void) | null = null;
  #socket: WebSocket | null = null;

  constructor(sn: string, frames: readonly RecordedFrame[], options: ReplayOptions, ledger: Ledger) {
    this.#sn = sn;
    this.#options = options;
    this.#ledger = ledger;
    this.#protocol = frames[0]!.protocol;
    for (const frame of frames) {
      const read = readFrame(frame.text);
      if (frame.direction === 'send' && (read.kind === 'result' || read.kind === 'error'))
        this.#recorded.set(read.id, { frame, read });
      if (frame.direction === 'send' && read.kind === 'call') {
        const answer = frames.find((one) => one.direction === 'receive' && isAnswerTo(one, read.id));
        this.#requests.push({ frame, action: read.action, answer, command: COMMAND_ID.test(read.id) });
      }
    }
  }

  async open(): Promise<void> {
    await this.close();
    const { url, password, insecure } = this.#options;
    const credentials = Buffer.from(`${this.#sn}:${password}`).toString('base64');
    const socket = new WebSocket(`${url}/${encodeURIComponent(this.#sn)}`, [this.#protocol], {
      ...{ perMessageDeflate: false, handshakeTimeout: 20_000, rejectUnauthorized: !insecure },
      ...(password === undefined ? {} : { headers: { authorization: `Basic ${credentials}` } }),
    });
    socket.on('message', (data) => this.#receive(String(data)));
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => {
        // The server may send a request at once.
        this.#socket = socket;
        resolve();
      });
      socket.once('error', reject);
    });
    // The close event follows, and the next frame of the device connects again.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (this.#socket === socket) this.#socket = null;
      for (const settle of this.#waiting.values()) settle({ kind: 'ignored', reason: 'the connection ended' });
    });
  }

  async send(frame: RecordedFrame): Promise<void> {
    const read = readFrame(frame.text);
    // The device answers when the server requests.
    if (read.kind === 'result' || read.kind === 'error') return;
    if (this.#socket === null) await this.open();
    this.#ledger.sent += 1;
    if (read.kind !== 'call') {
      this.#socket?.send(frame.text);
      return;
    }
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<Frame>();
    this.#waiting.set(id, resolve);
    const timer = setTimeout(
      () => resolve({ kind: 'ignored', reason: 'no response' }),
      this.#options.timeoutMs ?? 10_000,
    );
    this.#socket?.send(callText(id, read.action, this.#now(read.payload, frame) as Record<string, unknown>));
    const answer = await promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
    this.#compare(frame, read.id, answer);
  }

  async recordedClose({ at }: RecordedFrame): Promise<void> {
    await this.#settled(at);
    await this.close();
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null || socket.readyState === WebSocket.CLOSED) return;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.close(1000);
    const cutter = setTimeout(() => socket.terminate(), 2_000);
    await closed;
    clearTimeout(cutter);
  }

  async finish(): Promise<void> {
    await this.#settled(Number.POSITIVE_INFINITY);
    for (const { frame, action, command } of this.#requests)
      if (!command) this.#ledger.differs({ ...frame, action }, this.#sn, 'the server did not send this request');
  }

  /** Resolves when the server has sent every request that it sent before a time of the recording, or after a while. */
  async #settled(until: number): Promise<void> {
    const isOpen = () => this.#requests.some(({ frame, command }) => !command && frame.at <= until);
    if (this.#socket === null || !isOpen()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#settle = () => isOpen() || resolve();
    const timer = setTimeout(resolve, this.#options.timeoutMs ?? 10_000);
    await promise;
    clearTimeout(timer);
    this.#settle = null;
  }

  /** The payload of a recorded request as it is sent now. */
  #now(payload: unknown, { at }: RecordedFrame): unknown {
    const moved = this.#options.keepTimes ? payload : later(payload, Date.now() - at);
    const id = (moved as { transactionId?: unknown } | null)?.transactionId;
    return this.#transactions.has(id) ? { ...(moved as object), transactionId: this.#transactions.get(id) } : moved;
  }

  #compare(call: RecordedFrame, recordedId: string, answer: Frame): void {
    const recorded = this.#recorded.get(recordedId);
    if (!recorded) {
      if (answer.kind === 'ignored') return;
      this.#ledger.differs(call, this.#sn, 'has a response now, and had none');
      return;
    }
    this.#ledger.compared += 1;
    const { frame, read } = recorded;
    const at = { line: frame.line, action: call.action };
    if (answer.kind !== read.kind) {
      const text = (one: Frame) =>
        one.kind === 'error' ? `the error ${one.code}` : one.kind === 'ignored' ? one.reason : 'a result';
      this.#ledger.differs(at, this.#sn, `was ${text(read)}, now ${text(answer)}`);
    } else if (answer.kind === 'error' && read.kind === 'error') {
      if (answer.code !== read.code) this.#ledger.differs(at, this.#sn, `was ${read.code}, now ${answer.code}`);
    } else if (answer.kind === 'result' && read.kind === 'result') {
      const [before, now] = [read.payload, answer.payload] as { transactionId?: unknown }[];
      if (before?.transactionId !== undefined) this.#transactions.set(before.transactionId, now?.transactionId);
      for (const text of differencesOf(before, now, NEW_NUMBERS)) this.#ledger.differs(at, this.#sn, text);
    }
  }

  #receive(text: string): void {
    const read = readFrame(text);
    if (read.kind === 'result' || read.kind === 'error') this.#waiting.get(read.id)?.(read);
    if (read.kind !== 'call') return;
    const index = this.#requests.findIndex(({ action }) => action === read.action);
    const [request] = index < 0 ? [] : this.#requests.splice(index, 1);
    if (!request)
      this.#ledger.differs({ line: 0, action: read.action }, this.#sn, 'the server sent this request, and had not');
    const answer = request?.answer && JSON.parse(request.answer.text);
    this.#ledger.sent += 1;
    // The parts after the message ID are the recorded ones.
    const parts = answer ? [answer[0], read.id, ...answer.slice(2)] : [4, read.id, 'NotImplemented', '', {}];
    this.#socket?.send(JSON.stringify(parts));
    this.#settle?.();
  }
}

function isAnswerTo({ text }: RecordedFrame, id: string): boolean {
  const read = readFrame(text);
  return (read.kind === 'result' || read.kind === 'error') && read.id === id;
}
