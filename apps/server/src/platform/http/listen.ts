/** Messages for the operator when a port cannot be opened: Node's error codes, explained with the settings. */
const REASONS: Record<string, (place: Place) => string> = {
  EADDRINUSE: ({ port, setting }) =>
    `Port ${port} is in use by another program. Stop it, or set ${setting} to another port.`,
  EACCES: ({ port, setting }) => `This account may not open port ${port}. Set ${setting} to a port above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `HOST is ${host}, but this machine has no such address.`,
  ENOTFOUND: ({ host }) => `HOST is ${host}, but this name cannot be resolved.`,
};

export interface Place {
  host: string;
  port: number;
  /** the setting that names the port */
  setting: `${string}PORT`;
}

/**
 * Connections that may wait to be accepted on every port: a fleet reconnects at once after a restart. Linux limits it to
 * net.core.somaxconn, which is 4,096 by default; Node's own default is 511.
 */
export const LISTEN_BACKLOG = 4_096;

/** Opens a port. @throws with a message for the operator when it cannot be opened */
export async function listenOn(place: Place, listen: () => Promise<unknown>): Promise<void> {
  try {
    await listen();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const reason = REASONS[code]?.(place);
    throw reason === undefined ? cause : new Error(reason, { cause });
  }
}
