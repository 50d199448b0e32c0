import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../log.ts';
import { type DatabaseAccount, makeOwnedFolder } from './embedded-account.ts';
import type { PostgresBinaries } from './embedded-binaries.ts';

export interface ClusterOptions {
  binaries: PostgresBinaries;
  account: DatabaseAccount;
  clusterFolder: string;
  /** A folder of the database's account, for a temporary file during the creation. */
  scratchFolder: string;
  password: string;
  durable: boolean;
  log: Log;
}

/**
 * Creates the cluster with an empty product database if it does not exist. It is created with another name and renamed
 * when complete, so that an interrupted creation is not mistaken for a complete cluster.
 * @throws with a message when the cluster belongs to another major version, or cannot be created.
 */
export async function createCluster(options: ClusterOptions): Promise<void> {
  const { clusterFolder, account, binaries } = options;
  if (existsSync(clusterFolder)) {
    const major = (await readFile(join(clusterFolder, 'PG_VERSION'), 'utf8')).trim();
    if (major === binaries.major) return;
    throw new Error(
      `The data in ${clusterFolder} was written by PostgreSQL ${major}, and this version contains ${binaries.major}. ` +
        'See "Upgrade" in docs/operations.md.',
    );
  }
  options.log.info({ folder: clusterFolder }, 'creating the database');
  const unfinished = `${clusterFolder}.unfinished`;
  const passwordFile = join(options.scratchFolder, 'password');
  await rm(unfinished, { recursive: true, force: true });
  await makeOwnedFolder(unfinished, account);
  try {
    await writeFile(passwordFile, options.password, { mode: 0o600 });
    if (account.owner !== undefined) await chown(passwordFile, account.owner.uid, account.owner.gid);
    await run(options, [
      binaries.initdb,
      `--pgdata=${unfinished}`,
      '--username=chargehand',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      // The locale of the C library matters too: with plain C, trigrams of Chinese text are empty. macOS has no
      // C.UTF-8.
      `--locale=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
      '--lc-messages=C',
      '--no-instructions',
      ...(options.durable ? [] : ['--no-sync']),
    ]);
    await run(options, [binaries.postgres, '--single', '-D', unfinished, 'postgres'], 'CREATE DATABASE chargehand;\n');
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(unfinished, clusterFolder);
}

/**
 * The password of the database's only account, created once and stored in a file that only this process's account may
 * read.
 */
export async function readOrCreatePassword(file: string): Promise<string> {
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim();
  await mkdir(join(file, '..'), { recursive: true });
  const password = randomBytes(24).toString('base64url');
  await writeFile(`${file}.unfinished`, `${password}\n`, { mode: 0o600 });
  await rename(`${file}.unfinished`, file);
  return password;
}

/**
 * Environment of the database's programs: nothing of the server, so that no PG* variable of the operator is passed on.
 */
export const POSTGRES_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

async function run(options: ClusterOptions, command: string[], input = ''): Promise<void> {
  const { owner, prefix } = options.account;
  const [program, ...rest] = [...prefix, ...command];
  const child = spawn(program!, rest, {
    // setpriv changes the user itself, and needs root privileges for that.
    ...(prefix.length === 0 && owner !== undefined ? { uid: owner.uid, gid: owner.gid } : {}),
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    output += text.toString();
  });
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0 || /(FATAL|PANIC|ERROR):/.test(output)) {
    throw new Error(`The database could not be created: ${command[0]} ended with code ${code}.\n${output.trim()}`);
  }
}
