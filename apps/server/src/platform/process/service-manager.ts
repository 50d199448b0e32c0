import { execFile } from 'node:child_process';
import type { Log } from '../log.ts';

/**
 * Reports to systemd that the server is ready (`Type=notify`). The program of systemd does it, because Node has no
 * datagram sockets of the file system. Without systemd, nothing happens.
 */
export function reportReady(log: Log, environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  if (!environment.NOTIFY_SOCKET) return Promise.resolve();
  return new Promise((resolve) => {
    execFile('systemd-notify', ['--ready'], { env: environment, timeout: 10_000 }, (error) => {
      if (error) log.error({ err: error }, 'systemd was not notified that the server is ready');
      resolve();
    });
  });
}
