import { isIP, type Socket } from 'node:net';

/** The longest header of version 1, with its line break. */
const MAX_HEADER = 107;
const HEADER = /^PROXY TCP[46] (\S+) \S+ \d{1,5} \d{1,5}\r\n/;

/**
 * Reads the header that a proxy sends first (PROXY protocol, version 1, as nginx does), and leaves the rest to the next
 * reader.
 * @returns the address of the client; null when there is no valid header, or the connection ends before it
 */
export function readProxyHeader(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const end = (address: string | null) => {
      socket.off('data', take);
      socket.off('close', close);
      socket.pause();
      resolve(address);
    };
    const close = () => end(null);
    function take(data: Buffer): void {
      received = Buffer.concat([received, data]);
      const start = received.subarray(0, MAX_HEADER).toString('latin1');
      const [header = '', address = ''] = HEADER.exec(start) ?? [];
      if (header === '') {
        if (received.length >= MAX_HEADER || start.includes('\n')) end(null);
        return;
      }
      end(isIP(address) ? address : null);
      if (received.length > header.length) socket.unshift(received.subarray(header.length));
    }
    socket.on('data', take);
    socket.on('close', close);
  });
}
