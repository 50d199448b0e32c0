import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClamdAddress, scanStream } from '../platform/scan/clamd.ts';
import { eventually } from '../testing/eventually.ts';

/** Debian's packages, unpacked by scripts/debian.mjs. */
const DEBIAN = join(import.meta.dirname, '../../../../node_modules/.cache/debian');
const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((name) => join(DEBIAN, 'usr/lib', name));
/** The test file of the anti-virus industry (eicar.org), in two parts, so that scanners do not report this file. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

let folder: string;
let clamd: ChildProcess;
let address: ClamdAddress;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chargehand-clamd-'));
  address = { path: join(folder, 'clamd.ctl') };
  await mkdir(join(folder, 'signatures'));
  const signature = `Eicar-Test-Signature:0:*:${Buffer.from(EICAR.slice(0, 33)).toString('hex')}\n`;
  await writeFile(join(folder, 'signatures/test.ndb'), signature);
  const settings = { DatabaseDirectory: join(folder, 'signatures'), LocalSocket: join(folder, 'clamd.ctl') };
  const more = { Foreground: 'yes', StreamMaxLength: '1M', User: process.getuid?.() === 0 ? 'root' : '' };
  const lines = Object.entries({ ...settings, ...more }).filter(([, value]) => value !== '');
  await writeFile(join(folder, 'clamd.conf'), lines.map((line) => `${line.join(' ')}\n`).join(''));
  clamd = spawn(join(DEBIAN, 'usr/sbin/clamd'), [`--config-file=${join(folder, 'clamd.conf')}`], {
    env: { ...process.env, LD_LIBRARY_PATH: LIBRARIES.join(':') },
    stdio: 'ignore',
  });
  await eventually(
    () => scan('ready').catch(() => null),
    (result) => result !== null,
    { what: 'clamd', timeoutMs: 60_000 },
  );
});
afterAll(async () => {
  clamd.kill();
  await rm(folder, { recursive: true, force: true });
});

const scan = (text: string, times = 1) =>
  scanStream(address, async () => Readable.from(Array.from({ length: times }, () => Buffer.from(text))));

test('clamd finds nothing in a text, and the test virus in a file that contains it', async () => {
  expect(await scan('Nothing in here.')).toEqual({ virus: null });
  expect(await scan(EICAR)).toEqual({ virus: expect.stringMatching(/^Eicar-Test-Signature/) });
});

test('a stream that is longer than clamd accepts is reported every time, not as an error', async () => {
  for (let round = 0; round < 10; round += 1) expect(await scan('x'.repeat(65_536), 100)).toBe('tooLarge');
});
