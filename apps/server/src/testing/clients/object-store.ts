import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase } from '../database/database.ts';
import { NAMES } from '../object-tools/list-and-delete.ts';
import { startProgram } from '../program.ts';
import { seedWorld } from '../world.ts';

export const KEY = { accessKeyId: 'operator', secretAccessKey: 'a-secret-of-the-operator' };
export const BUCKET = 'chargehand';
export const REGION = 'oss-cn-hongkong';
const MB = 1024 * 1024;
/** Bytes of the large file: one gigabyte, or `CLIENTS_LARGE_MB` megabytes during the development of tests. */
const LARGE = Number(process.env.CLIENTS_LARGE_MB ?? 1_024) * MB;
/** Names and sizes of the files of each test: empty, one byte, around the minimum part size, several parts. */
const SIZES: Record<string, number> = {
  'empty.bin': 0,
  'one.bin': 1,
  'below.bin': 5 * MB - 1,
  'part.bin': 5 * MB,
  'above.bin': 5 * MB + 1,
  'parts.bin': 40 * MB,
};

/** Ignores the user's own settings for other stores and for proxies. */
const OUR_ENVIRONMENT = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(AWS_|RCLONE_)|_proxy$/i.test(name))),
  LC_ALL: 'C.UTF-8',
};

/** Below the range of ephemeral ports, so that no client socket takes it. */
const PORT = 19_741;

/** The product in a separate process, with a key of the operator, and a folder of files for a third-party client. */
export interface Workbench {
  endpoint: string;
  /** the working directory of the client */
  folder: string;
  /** Runs a program there and returns its output. @throws with its output when it fails */
  run(program: string, args: readonly string[], env?: Record<string, string>): Promise<string>;
  /** Creates `files/`, with various sizes and names. Returns the hash of each by its path. */
  makeFiles(): Promise<Map<string, string>>;
  /** Creates the large file and returns its name. */
  makeLarge(): Promise<string>;
  hashOf(path: string): Promise<string>;
  /** Memory of the product (bytes of RSS): now, and the maximum while `work` ran. */
  memoryDuring(work: () => Promise<void>): Promise<{ before: number; peak: number }>;
  stop(): Promise<void>;
}

export async function openWorkbench(): Promise<Workbench> {
  const database = await createTestDatabase({ max: 2 });
  await seedWorld(database.db);
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-clients-'));
  const program = await startProgram({
    ...{ PORT: String(PORT), HOST: '127.0.0.1', DATABASE_URL: database.url, CHARGEHAND_DATA: join(folder, 'data') },
    ...{ S3_ACCESS_KEY_ID: KEY.accessKeyId, S3_SECRET_ACCESS_KEY: KEY.secretAccessKey, CHARGEHAND_MQTT: '0' },
  });
  const hashOf = async (path: string) => {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(join(folder, path))) hash.update(chunk);
    return hash.digest('hex');
  };
  return {
    endpoint: program.url,
    folder,
    hashOf,
    async run(program, args, env = {}) {
      const options = { cwd: folder, env: { ...OUR_ENVIRONMENT, ...env }, maxBuffer: 64 * MB };
      const { stdout } = await promisify(execFile)(program, args, options);
      return stdout;
    },
    async makeFiles() {
      const hashes = new Map<string, string>();
      const make = async (path: string, bytes: Uint8Array) => {
        await mkdir(dirname(join(folder, 'files', path)), { recursive: true });
        await writeFile(join(folder, 'files', path), bytes);
        hashes.set(path, createHash('sha256').update(bytes).digest('hex'));
      };
      for (const [name, size] of Object.entries(SIZES)) await make(name, randomBytes(size));
      for (const name of NAMES.filter(isFileName)) await make(`names/${name}`, Buffer.from(name));
      return hashes;
    },
    async makeLarge() {
      const file = await open(join(folder, 'large.bin'), 'w');
      try {
        const block = randomBytes(16 * MB);
        // Each block is different, so that parts in the wrong order are detected.
        for (let at = 0; at < LARGE; at += block.length) {
          block.writeDoubleBE(at);
          await file.write(block, 0, Math.min(block.length, LARGE - at));
        }
      } finally {
        await file.close();
      }
      return 'large.bin';
    },
    memoryDuring: program.memoryDuring,
    async stop() {
      await program.stop();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}

/** File systems cannot represent every key. */
function isFileName(name: string): boolean {
  return name.split('/').every((part) => part !== '' && part !== '..' && Buffer.byteLength(part) <= 255);
}
