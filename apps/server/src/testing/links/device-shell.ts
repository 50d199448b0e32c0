import { once } from 'node:events';
import ssh2 from 'ssh2';
import { newHostKey } from '../../links/index.ts';

/** What `flood` writes, in so many parts. */
export const FLOOD_BYTES = 4 * 1024 * 1024;
const FLOOD_PARTS = 128;

/**
 * The SSH server of a device, with the user `admin` and the password `充电`; it accepts all keys. Its shell echoes; `exit`,
 * `flood` and `overrun` are commands. `overrun` is a flood that ignores the window. `flooded`: what a flood has sent.
 */
export async function deviceShell(): Promise<{ port: number; flooded(): number; close(): void }> {
  let flooded = 0;
  const flood = (shell: ssh2.ServerChannel) => {
    flooded = 0;
    const part = Buffer.alloc(FLOOD_BYTES / FLOOD_PARTS, 'y');
    for (let count = 0; count < FLOOD_PARTS; count += 1)
      shell.write(part, () => {
        flooded += part.length;
      });
  };
  const server = new ssh2.Server({ hostKeys: [newHostKey()] }, (client) => {
    client.on('error', () => undefined);
    client.on('authentication', (context) => {
      const right =
        context.method === 'publickey' ||
        (context.method === 'password' && context.username === 'admin' && context.password === '充电');
      if (right) context.accept();
      else context.reject(['password', 'publickey']);
    });
    client.on('session', (accept) => {
      const session = accept();
      session.on('pty', (acceptPty) => acceptPty());
      session.on('shell', (acceptShell) => {
        const shell = acceptShell();
        shell.write('$ ');
        session.on('window-change', (acceptChange, _reject, { cols, rows }) => {
          acceptChange?.();
          shell.write(`[${cols}x${rows}]`);
        });
        shell.on('data', (data: Buffer) => {
          const line = String(data);
          if (line === 'exit\n') {
            shell.exit(0);
            shell.end();
          } else if (line === 'flood\n') flood(shell);
          else if (line === 'overrun\n') {
            (shell.outgoing as { window: number }).window = Number.POSITIVE_INFINITY;
            flood(shell);
          } else shell.write(data);
        });
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { port, flooded: () => flooded, close: () => server.close() };
}
