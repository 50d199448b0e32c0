import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newHostKey } from '../../links/index.ts';
import { freePort } from '../deployment/free-port.ts';
import { eventually } from '../eventually.ts';

/** The SSH server of a device, as Debian has it. It accepts keys only. */
export interface DeviceServer {
  name: 'openssh' | 'dropbear';
  port: number;
  /** the file with the keys of the user who runs the tests */
  keys: string;
  /** the user who runs the tests */
  userName: string;
  /** a folder for files, and its name on the device */
  folder: string;
  remoteFolder: string;
  stop(): Promise<void>;
}

/** `npm test` unpacks sshd if it is not installed. */
const UNPACKED = fileURLToPath(new URL('../../../../../node_modules/.cache/debian', import.meta.url));
const BANNER = 'Authorized users only\n';

/** OpenSSH's sshd. */
export async function openSshServer(): Promise<DeviceServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sshd-'));
  writeFileSync(join(folder, 'host'), newHostKey(), { mode: 0o600 });
  writeFileSync(join(folder, 'banner'), BANNER);
  const port = await freePort();
  const keys = join(folder, 'authorized_keys');
  const settings = [
    ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${folder}/host`, `AuthorizedKeysFile ${keys}`],
    ...['StrictModes no', 'UsePAM no', 'PidFile none', 'PermitRootLogin yes', 'PasswordAuthentication no'],
    ...['Subsystem sftp internal-sftp', `Banner ${folder}/banner`],
    // Otherwise the shell of a session runs the startup files of the user who runs the tests. They can wait for anything.
    `SetEnv HOME=${folder}`,
  ];
  writeFileSync(join(folder, 'config'), `${settings.join('\n')}\n`);
  const installed = '/usr/sbin/sshd';
  const program = existsSync(installed) ? installed : `${UNPACKED}${installed}`;
  const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((name) => `${UNPACKED}/usr/lib/${name}`).join(':');
  const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: libraries };
  const call = [program, '-D', '-e', '-f', join(folder, 'config')];
  if (process.getuid?.() !== 0)
    return await started('openssh', spawn(program, call.slice(1), { env }), folder, port, keys);
  // As root, it needs a folder and a user for its unprivileged child, which the package creates when it is installed.
  mkdirSync('/run/sshd', { recursive: true });
  const users = readFileSync('/etc/passwd', 'utf8');
  const passwd = join(folder, 'passwd');
  writeFileSync(passwd, /^sshd:/m.test(users) ? users : `${users}sshd:x:64998:65534::/run/sshd:/usr/sbin/nologin\n`);
  const command = `mount --bind ${passwd} /etc/passwd && exec "$@"`;
  const sshd = spawn('unshare', ['-m', 'sh', '-c', command, 'sh', ...call], { env });
  return await started('openssh', sshd, folder, port, keys);
}

/** dropbear, with a home folder of its own: its file of keys cannot be configured. */
export async function dropbearServer(): Promise<DeviceServer> {
  const folder = mkdtempSync(join(tmpdir(), 'dropbear-'));
  mkdirSync(join(folder, '.ssh'), { mode: 0o700 });
  const port = await freePort();
  const command = `mount --bind ${folder} ${userInfo().homedir} && exec dropbear -F -E -R -r ${folder}/host -P ${folder}/pid -p 127.0.0.1:${port}`;
  const key = spawn('dropbearkey', ['-t', 'ed25519', '-f', join(folder, 'host')]);
  await once(key, 'close');
  const own = process.getuid?.() === 0 ? ['-m'] : ['-Urm'];
  const child = spawn('unshare', [...own, 'sh', '-c', command]);
  return await started('dropbear', child, folder, port, join(folder, '.ssh', 'authorized_keys'));
}

async function started(
  name: DeviceServer['name'],
  child: ChildProcess,
  folder: string,
  port: number,
  keys: string,
): Promise<DeviceServer> {
  let output = '';
  child.stderr?.on('data', (data) => {
    output += String(data);
  });
  await eventually(
    () => accepts(port),
    (accepted) => {
      if (child.exitCode !== null) throw new Error(`${name} ended: ${output}`);
      return accepted;
    },
    { what: `${name} to listen` },
  );
  const files = join(folder, 'files');
  if (!existsSync(files)) mkdirSync(files);
  return {
    ...{ name, port, keys, userName: userInfo().username, folder: files },
    remoteFolder: name === 'openssh' ? files : join(userInfo().homedir, 'files'),
    async stop() {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
      // Sessions outlive the server by a moment, and may still write.
      await eventually(
        () => isRemoved(folder),
        (removed) => removed,
        { what: 'the sessions of the SSH server to end' },
      );
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Removes a folder. @returns false if a process has written to it meanwhile */
function isRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    return false;
  }
}
