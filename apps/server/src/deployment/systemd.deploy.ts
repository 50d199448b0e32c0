import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { buildServer } from '../../../../scripts/build/server-bundle.mjs';
import { buildConsole } from '../../../../scripts/console.mjs';
import { findBinaries } from '../platform/database/embedded/embedded-binaries.ts';
import { freePorts } from '../testing/deployment/free-port.ts';

const PROJECT = join(import.meta.dirname, '../../../..');
const UNIT = join(PROJECT, 'deploy/chargehand.service');
/** An account without rights. */
const NOBODY = '65534';
const START_MS = 150_000;
/** The exposure that `systemd-analyze security` may find, in tenths. */
const EXPOSURE = '30';

const unit = readFileSync(UNIT, 'utf8');
const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

test('systemd accepts the unit, and finds it hardened', () => {
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  const verified = analyze('verify', UNIT);
  expect([verified.status, verified.stderr]).toEqual([0, '']);
  const judged = analyze('security', '--offline=true', `--threshold=${EXPOSURE}`, UNIT);
  expect(judged.status, judged.stdout).toBe(0);
});

// The files of the machine are read-only in a mount namespace of root, as with ProtectSystem=strict.
test.skipIf(process.getuid?.() !== 0)(
  'with the account, the folders and the settings of the unit, the server starts and makes the daily backup',
  async () => {
    buildConsole();
    buildServer();
    await findBinaries();
    const service = await startUnit(setting('ReadWritePaths'));
    onTestFinished(service.stop);
    const started = await service.readyOrEnd();
    expect(started, service.output()).toBe('ready');
    expect(await service.backup()).toMatch(/^chargehand-/);
  },
  400_000,
);

test.skipIf(process.getuid?.() !== 0)(
  'without write access to the folder of the backups, the start says so',
  async () => {
    const service = await startUnit('');
    onTestFinished(service.stop);
    expect(await service.readyOrEnd()).toBe('ended');
    expect(service.output()).toContain('CHARGEHAND_BACKUP_FOLDER');
  },
  200_000,
);

/**
 * Runs ExecStart of the unit without systemd: the same command, shipped settings, state folder and read-only files, an
 * account without rights, and no capabilities.
 */
async function startUnit(writable: string) {
  expect([setting('ProtectSystem'), setting('ProtectHome'), setting('PrivateTmp')]).toEqual(['strict', 'yes', 'yes']);
  const state = `/var/lib/${setting('StateDirectory')}`;
  const backups = '/mnt/backups';
  const [product, mqtt, links] = (await freePorts(3)).map(String);
  const script = [
    'set -e',
    // Folders that the instructions create, which this machine may not have.
    `mount -t tmpfs tmpfs /var/lib; mkdir -m ${setting('StateDirectoryMode')} ${state}; chown ${NOBODY}:${NOBODY} ${state}`,
    `mount -t tmpfs tmpfs /mnt; mkdir -m 700 ${backups}; chown ${NOBODY}:${NOBODY} ${backups}`,
    'mount -t tmpfs -o mode=1777 tmpfs /tmp',
    ...[state, ...writable.split(' ').map((path) => path.replace(/^-/, ''))]
      .filter((path) => path !== '')
      .map((path) => `mount --bind ${path} ${path}`),
    // Every other file system of the unit is read-only.
    'for at in / $(findmnt -rno TARGET | grep -vE \'^/(proc|sys|dev|tmp)(/|$)\' | grep -vxE "$WRITABLE"); do mount -o remount,bind,ro $at 2>/dev/null || true; done',
    `cd ${PROJECT}; umask ${setting('UMask')}`,
    `exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --no-new-privs --bounding-set=-all ${setting('ExecStart')}`,
  ];
  const shipped = parseEnv(readFileSync(join(PROJECT, 'deploy/chargehand.env'), 'utf8')) as Record<string, string>;
  const child = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script.join('\n')], {
    env: {
      ...{ PATH: process.env.PATH, ...shipped, PORT: product },
      ...{ CHARGEHAND_MQTT_PORT: mqtt, CHARGEHAND_LINKS_PORT: links, CHARGEHAND_FTP_PORT: '0' },
      ...{ CHARGEHAND_BACKUP_FOLDER: backups },
      WRITABLE: [state, ...writable.split(' ').map((path) => path.replace(/^-/, ''))].filter(Boolean).join('|'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return {
    output: () => output,
    stop: () => stopped(child),
    async readyOrEnd(): Promise<'ready' | 'ended' | 'neither'> {
      for (let at = 0; at < START_MS; at += 250) {
        if (child.exitCode !== null) return 'ended';
        const response = await fetch(`http://127.0.0.1:${product}/readyz`).catch(() => null);
        if (response?.ok) return 'ready';
        await wait(250);
      }
      return 'neither';
    },
    /** The name of the first daily backup, which is due at once, as the service sees its folder. */
    async backup(): Promise<string> {
      for (let at = 0; at < START_MS; at += 500) {
        const { stdout } = spawnSync('ls', [`/proc/${child.pid}/root${backups}`], { encoding: 'utf8' });
        const name = stdout.split('\n').find((one) => /^chargehand-\d{8}T\d{6}Z$/.test(one));
        if (name !== undefined) return name;
        await wait(500);
      }
      return output.slice(-2_000);
    },
  };
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
