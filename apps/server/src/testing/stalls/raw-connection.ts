import { connect } from 'node:net';

/**
 * Writes bytes to a TCP port, ends the connection and resolves when the server has closed it too, so everything was
 * processed or refused.
 */
export function sendRaw(port: number, ...parts: (string | Buffer)[]): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    // An error means that the server has closed the connection.
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
    socket.resume();
    socket.end(Buffer.concat(parts.map((part) => Buffer.from(part as string))));
  });
}
