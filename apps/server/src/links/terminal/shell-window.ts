import type { Client, ClientChannel } from 'ssh2';

/** The parts of ssh2 that limit what the other side may send. They are not in its types. */
interface Internals {
  _protocol: {
    session(channel: number, window: number, packet: number): void;
    channelWindowAdjust(channel: number, bytes: number): void;
  };
}

/** A shell whose device sends only what was granted. */
export interface LimitedShell {
  shell: ClientChannel;
  /** Allows the device to send so many bytes more. */
  grant(bytes: number): void;
}

/** Few messages, and most of the window stays granted. */
const GRANTED_AT_ONCE = 8;

/**
 * Starts a shell whose device may send `window` bytes, and then what is granted. ssh2 has no setting for this: it always
 * allows 2 MB, and allows more when a program has read them. With endless output, Ctrl-C would have no visible effect
 * until they are displayed.
 */
export function limitedShell(
  client: Client,
  size: { cols: number; rows: number },
  window: number,
  done: (error: Error | undefined, limited: LimitedShell) => void,
): void {
  const { _protocol: protocol } = client as unknown as Internals;
  // `shell` opens its channel at once. Later channels, such as those of files, keep the window of ssh2.
  protocol.session = (channel, _window, packet) =>
    Object.getPrototypeOf(protocol).session.call(protocol, channel, window, packet);
  client.shell({ term: 'xterm-256color', ...size }, (error, shell) => {
    let waiting = 0;
    // Below half of its window, ssh2 would grant the rest.
    if (!error) (shell.incoming as { window: number }).window = Number.POSITIVE_INFINITY;
    done(error, {
      shell,
      grant(bytes) {
        waiting += bytes;
        const { state, id } = shell.outgoing as { state: string; id: number };
        if (waiting < window / GRANTED_AT_ONCE || state === 'closed') return;
        protocol.channelWindowAdjust(id, waiting);
        waiting = 0;
      },
    });
  });
  Reflect.deleteProperty(protocol, 'session');
}
