import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import ssh2, { type AuthContext } from 'ssh2';
import { type RemoteDevice, SHELL_PASSWORD, SHELL_USER } from './device.ts';
import type { Disk } from './disk.ts';
import { newKeyPair } from './key-pair.ts';
import { serveSftp } from './sftp.ts';
import { Shell } from './shell.ts';

/** A server of a device that only this computer reaches. */
export interface LocalServer {
  port: number;
  close(): void;
}

/**
 * The SSH server of a simulated device, with a shell and SFTP.
 * @param keys public keys that the user may sign in with, as in `authorized_keys`
 */
export async function startSshServer(
  device: RemoteDevice,
  disk: Disk,
  keys: () => Iterable<string>,
): Promise<LocalServer> {
  const hostKey = newKeyPair().private;
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    client.on('error', () => undefined);
    client.on('authentication', (context) => {
      if (isUser(context, keys())) context.accept();
      else context.reject(['password', 'publickey']);
    });
    client.on('session', (accept) => {
      const session = accept();
      let terminal = false;
      session.on('pty', (acceptPty) => {
        terminal = true;
        acceptPty?.();
      });
      session.on('window-change', (acceptChange) => acceptChange?.());
      session.on('shell', (acceptShell) => new Shell(acceptShell(), { device, disk, terminal }).interact());
      session.on('exec', (acceptExec, _reject, { command }) => {
        void new Shell(acceptExec(), { device, disk, terminal }).execute(command);
      });
      session.on('sftp', (acceptSftp) => serveSftp(acceptSftp(), disk));
    });
  });
  const sockets = new Set<Socket>();
  const listener = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    server.injectSocket(socket);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    close() {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function isUser(context: AuthContext, keys: Iterable<string>): boolean {
  if (context.username !== SHELL_USER) return false;
  if (context.method === 'password') return context.password === SHELL_PASSWORD;
  if (context.method !== 'publickey') return false;
  for (const text of keys) {
    const key = ssh2.utils.parseKey(text);
    if (key instanceof Error || !key.getPublicSSH().equals(context.key.data)) continue;
    // Without a signature, the client asks whether the key would be accepted.
    if (!context.signature || !context.blob) return true;
    return key.verify(context.blob, context.signature, context.hashAlgo) === true;
  }
  return false;
}
