import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIRST_USER } from '../access/index.ts';
import { type Client, client } from '../testing/client.ts';
import { freePort } from '../testing/free-port.ts';
import { type Program, startProgram } from '../testing/program.ts';
import { signIn } from '../testing/sign-in.ts';

const PORT = String(await freePort());
const PASSWORD = 'The-disk-is-full-1';
/** A new database cluster takes some 60 MB, its write-ahead log as much. */
const DISK_MB = 400;

/** Mounting a separate disk needs the permission to mount. */
const disk = mountDisk();
let program: Program;
let root: Client;

beforeAll(async () => {
  if (disk === null) return;
  program = await startProgram({
    ...{ PORT, HOST: '127.0.0.1', DATABASE_URL: '', CHARGEHAND_DATA: disk, CHARGEHAND_MQTT: '0' },
    ...{ CHARGEHAND_ADMIN_PASSWORD: PASSWORD, CHARGEHAND_CAPTCHA: 'off' },
  });
  const { session } = await signIn(program.url, FIRST_USER, PASSWORD);
  root = client(program.url, session);
  const { privacy } = await root.data(ENDPOINTS.info);
  await root.data(ENDPOINTS.acceptPrivacy, { body: { version: privacy.newPrivacyPolicyVersion as number } });
});
afterAll(async () => {
  if (disk === null) return;
  await program.stop();
  execFileSync('umount', [disk]);
  rmdirSync(disk);
});

const readiness = async (language = 'en-US') => {
  const response = await fetch(`${program.url}/readyz`, { headers: { 'accept-language': language } });
  return { status: response.status, ...((await response.json()) as { code: number; message: string; data: unknown }) };
};
/** A change that needs space: random texts, which cannot be compressed. */
const change = () => {
  const contentEn = randomBytes(30_000).toString('base64');
  return root.call(ENDPOINTS.savePolicyDraft, { body: { contentEn, contentZh: contentEn } });
};
const problemIn = async (cause: string) => {
  const text = await (await fetch(`${program.url}/metrics`)).text();
  return new RegExp(`^chargehand_storage_problem\\{cause="${cause}"\\} (\\d)$`, 'm').exec(text)?.[1];
};

test.skipIf(disk === null)(
  'a full disk is named by readiness, metrics, the log and every refused change',
  async () => {
    expect(await readiness()).toMatchObject({ status: 200, data: { status: 'ready', warnings: [] } });
    expect(await change()).toMatchObject({ code: 0 });
    expect(await problemIn('folderFull')).toBe('0');

    const filler = await fill(join(disk!, 'filler'));
    await expect
      .poll(() => readiness())
      .toMatchObject({
        status: 503,
        code: CODES.folderFull.code,
        data: { status: 'notReady', cause: 'folderFull' },
      });
    expect((await readiness('zh-CN')).message).toBe(CODES.folderFull.zh);
    expect(await problemIn('folderFull')).toBe('1');
    expect(program.output()).toContain(CODES.folderFull.en);
    await expect.poll(async () => (await change()).message).toMatch(/^The disk of the (database|data folder) is full/);

    await rm(filler);
    await expect.poll(() => readiness()).toMatchObject({ status: 200, code: 0 });
    await expect.poll(async () => (await change()).code).toBe(0);
    expect(await problemIn('folderFull')).toBe('0');
  },
  240_000,
);

/** A small disk in memory; null when this account may not mount one. */
function mountDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'chargehand-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmdirSync(folder);
    return null;
  }
}

/** Writes a file until the disk is full. */
async function fill(path: string): Promise<string> {
  const file = await open(path, 'w');
  try {
    for (let size = 1024 * 1024; size >= 1; ) {
      try {
        await file.appendFile(Buffer.alloc(size, 1));
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    await file.close();
  }
  return path;
}
