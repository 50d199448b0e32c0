import type { Socket } from 'node:net';
import { type DataPort, openDataPort, type PortRange } from './passive.ts';
import { FtpRefusal } from './port.ts';

/** The data connections of one client: a port that is opened in advance, and one transfer over it at a time. */
export class DataConnection {
  readonly #control: Socket;
  readonly #ports: PortRange;
  /** the time in milliseconds without progress after which a transfer is ended */
  readonly #idleMs: number;
  #port: DataPort | null = null;
  #moving: AbortController | null = null;
  #over = false;

  constructor(control: Socket, ports: PortRange, idleMs: number) {
    this.#control = control;
    this.#ports = ports;
    this.#idleMs = idleMs;
  }

  /** A transfer is running. */
  get moving(): boolean {
    return this.#moving !== null;
  }

  /** Opens a port for the next transfer. It replaces one that was not used. */
  async open(): Promise<number> {
    this.#drop();
    const port = await openDataPort(this.#control.localAddress ?? '', this.#ports, this.#control.remoteAddress ?? '');
    // The client may have disconnected while the port was opened.
    if (this.#over) port.close();
    else this.#port = port;
    return port.port;
  }

  /**
   * Uses the connection that the client opened before, and closes it.
   * @param begins called before waiting for the connection
   */
  async move(begins: () => void, act: (data: Socket, signal: AbortSignal) => Promise<void>): Promise<void> {
    const port = this.#port;
    if (!port) throw new FtpRefusal(425, 'Open a data connection with PASV or EPSV first.');
    this.#port = null;
    const moving = new AbortController();
    this.#moving = moving;
    begins();
    let data: Socket | null = null;
    try {
      data = await port.connected(moving.signal);
      const socket = data;
      socket.setTimeout(this.#idleMs, () => socket.destroy(new Error('idle')));
      moving.signal.addEventListener('abort', () => socket.destroy());
      await act(socket, moving.signal);
    } catch (error) {
      if (error instanceof FtpRefusal && !moving.signal.aborted) throw error;
      if (moving.signal.aborted || data?.destroyed) throw new FtpRefusal(426, 'The data connection was lost.');
      throw error;
    } finally {
      this.#moving = null;
      this.#control.setTimeout(this.#idleMs);
      port.close();
      data?.destroy();
    }
  }

  /** Aborts the running transfer. */
  abort(): void {
    this.#moving?.abort();
  }

  /** The client has disconnected. */
  close(): void {
    this.#over = true;
    this.abort();
    this.#drop();
  }

  #drop(): void {
    this.#port?.close();
    this.#port = null;
  }
}
