import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * The operating system account of the database. PostgreSQL refuses to run as root, so root starts it as an unprivileged
 * account. Every other account runs it itself.
 */
export interface DatabaseAccount {
  /** Undefined: the account of this process. */
  owner?: { uid: number; gid: number; name: string };
  /** Program and arguments before the database's own, when starting it requires more than a change of user. */
  prefix: string[];
}

/** Accounts that exist on typical systems for this purpose, in order of preference. */
const UNPRIVILEGED = ['postgres', '_postgres', 'nobody'];
/** Linux capability numbers (capabilities(7)). Each of them lets a process access folders without permission. */
const CAPABILITIES = [
  { name: 'dac_read_search', bit: 2n },
  { name: 'dac_override', bit: 1n },
];

/**
 * Chooses the account for the cluster in `clusterFolder` and the way to start programs with it. A clone in root's home
 * is not accessible to other accounts. There util-linux' `setpriv` starts the database with the one capability that
 * allows access to such folders, and no other privilege of root.
 * @throws with a message that names the inaccessible folder, when there is no such way.
 */
export async function chooseAccount(folders: { clusterFolder: string; binaries: string }): Promise<DatabaseAccount> {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const owner = await unprivilegedOwner(folders.clusterFolder);
  await openDataFolderTo(dirname(folders.clusterFolder), owner);
  const closed =
    (await firstClosedFolder(folders.binaries, owner)) ??
    (await firstClosedFolder(dirname(folders.clusterFolder), owner));
  if (closed === undefined) return { owner, prefix: [] };
  const prefix = await setprivPrefix(owner);
  if (prefix !== undefined) return { owner, prefix };
  throw new Error(
    `PostgreSQL does not run as root, and the account ${owner.name} cannot enter ${closed}. ` +
      'Move the project and its data to a folder that others may enter (for example under /opt), ' +
      'run it as an ordinary user, or set DATABASE_URL.',
  );
}

/** Creates a folder that belongs to the database's account, without access for others. */
export async function makeOwnedFolder(folder: string, account: DatabaseAccount): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, gid } = account.owner ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const found = await stat(folder);
  if (found.uid !== uid) await chown(folder, uid, gid);
  if ((found.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
}

async function unprivilegedOwner(clusterFolder: string): Promise<{ uid: number; gid: number; name: string }> {
  const accounts = parseAccounts(await readFile('/etc/passwd', 'utf8'));
  if (existsSync(clusterFolder)) {
    const { uid } = await stat(clusterFolder);
    const present = accounts.find((account) => account.uid === uid);
    if (present !== undefined && uid !== 0) return present;
  }
  for (const name of UNPRIVILEGED) {
    const found = accounts.find((account) => account.name === name);
    if (found !== undefined) return found;
  }
  throw new Error(
    `PostgreSQL does not run as root, and this system has none of the accounts ${UNPRIVILEGED.join(', ')}. ` +
      'Run as an ordinary user, or set DATABASE_URL.',
  );
}

function parseAccounts(passwd: string): { uid: number; gid: number; name: string }[] {
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name, , uid, gid]) => ({ name: name!, uid: Number(uid), gid: Number(gid) }));
}

/** Only root has access to the data folder. The database's group may traverse it to its own folder, but not list it. */
async function openDataFolderTo(dataFolder: string, owner: { gid: number }): Promise<void> {
  const found = await stat(dataFolder);
  if (found.uid !== 0 || (found.mode & 0o077) !== 0) return;
  await chown(dataFolder, 0, owner.gid);
  await chmod(dataFolder, 0o710);
}

async function firstClosedFolder(path: string, owner: { uid: number; gid: number }): Promise<string | undefined> {
  let closed: string | undefined;
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    const { uid, gid, mode } = await stat(folder);
    const right = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001;
    if ((mode & right) === 0) closed = folder;
    if (folder === dirname(folder)) return closed;
  }
}

async function setprivPrefix(owner: { uid: number; gid: number }): Promise<string[] | undefined> {
  const program = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));
  if (program === undefined || !existsSync('/proc/self/status')) return undefined;
  const held = /^CapEff:\s*([0-9a-f]+)/m.exec(await readFile('/proc/self/status', 'utf8'))?.[1];
  const capability = CAPABILITIES.find(({ bit }) => (BigInt(`0x${held ?? '0'}`) & (1n << bit)) !== 0n);
  if (capability === undefined) return undefined;
  return [
    program,
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    `--inh-caps=-all,+${capability.name}`,
    `--ambient-caps=-all,+${capability.name}`,
    `--bounding-set=-all,+${capability.name}`,
    // initdb looks for its companion with access(2), which ignores capabilities without this.
    '--securebits=+no_setuid_fixup',
    '--no-new-privs',
  ];
}
