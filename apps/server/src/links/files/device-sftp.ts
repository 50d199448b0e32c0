import { posix } from 'node:path';
import type { DeviceFile } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import type { SFTPWrapper, Stats } from 'ssh2';
import { Problem } from '../../platform/http/problem.ts';

/** Status codes of SFTP (draft-ietf-secsh-filexfer-02, section 7). */
const STATUS = { end: 1, missing: 2, denied: 3, failure: 4 } as const;
/** Less free space than this explains a failure. */
const LITTLE_SPACE = 64 * 1024;
/** Symbolic links of a folder whose targets are read. */
const MAX_LINKS = 200;
const PERMISSIONS = 0o7777;

type Callback<T> = (error: Error | null | undefined, value: T) => void;

/** The files of a device over SFTP. Errors are problems of the contract. */
export type DeviceSftp = ReturnType<typeof deviceSftp>;

export interface FileStats {
  kind: DeviceFile['kind'];
  size: number;
  /** seconds since 1970 */
  modified: number;
  mode: number;
}

export function deviceSftp(sftp: SFTPWrapper) {
  /** One request. @throws {Problem} */
  function ask<T>(path: string, send: (done: Callback<T>) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => reject(problemOf(error, path));
      try {
        send((error, value) => (error ? fail(error) : resolve(value)));
      } catch (error) {
        fail(error);
      }
    });
  }

  const stat = async (path: string): Promise<FileStats> =>
    statsOf(await ask<Stats>(path, (done) => sftp.stat(path, done)));

  /** The stats of a file; null when it does not exist. */
  async function find(path: string): Promise<FileStats | null> {
    try {
      return await stat(path);
    } catch (error) {
      if (error instanceof Problem && error.code === 'deviceFileMissing') return null;
      throw error;
    }
  }

  /** Free bytes for this user; null when the device does not say it. */
  async function free(folder: string): Promise<number | null> {
    const space = await ask<{ f_frsize: number; f_bavail: number }>(folder, (done) =>
      sftp.ext_openssh_statvfs(folder, done as never),
    ).catch(() => null);
    return space && Number(space.f_frsize) * Number(space.f_bavail);
  }

  const realPath = (path: string) => ask<string>(path, (done) => sftp.realpath(path, done));
  const close = (handle: Buffer) => ask<void>('', (done) => sftp.close(handle, done as never));

  async function entryOf(folder: string, name: string, stats: Stats, followed: () => boolean): Promise<DeviceFile> {
    const link = stats.isSymbolicLink();
    const target = link && followed() ? await stat(posix.join(folder, name)).catch(() => null) : null;
    const { kind, size, modified } = target ?? statsOf(stats);
    return {
      ...{ name, kind, link, size },
      modifiedAt: modified > 0 ? new Date(modified * 1_000).toISOString() : null,
      usable: !name.includes('\ufffd'),
    };
  }

  return {
    stat,
    find,
    free,
    realPath,
    close,

    /** The entries of a folder, up to a limit. */
    async list(folder: string, most: number): Promise<{ files: DeviceFile[]; more: boolean }> {
      const handle = await ask<Buffer>(folder, (done) => sftp.opendir(folder, done));
      const found: { filename: string; attrs: Stats }[] = [];
      try {
        while (found.length <= most) {
          const next = await new Promise<{ filename: string; attrs: Stats }[]>((resolve, reject) => {
            sftp.readdir(handle, (error: (Error & { code?: number }) | undefined, list) => {
              if (error?.code === STATUS.end || (!error && !Array.isArray(list))) resolve([]);
              else if (error) reject(problemOf(error, folder));
              else resolve(list as never);
            });
          });
          if (next.length === 0) break;
          found.push(...next.filter(({ filename }) => filename !== '.' && filename !== '..'));
        }
      } finally {
        await close(handle).catch(() => undefined);
      }
      let links = 0;
      const followed = () => {
        links += 1;
        return links <= MAX_LINKS;
      };
      const files = await Promise.all(
        found.slice(0, most).map(({ filename, attrs }) => entryOf(folder, filename, attrs, followed)),
      );
      return { files, more: found.length > most };
    },

    openToRead: (path: string) => ask<Buffer>(path, (done) => sftp.open(path, 'r', done)),
    /** Creates a file. Problems name the path that users know. @throws {Problem} if it exists */
    create: (shown: string, path: string, mode: number) =>
      ask<Buffer>(shown, (done) => sftp.open(path, 'wx', { mode: mode & PERMISSIONS }, done)),
    setMode: (path: string, mode: number) =>
      ask<void>(path, (done) => sftp.chmod(path, mode & PERMISSIONS, done as never)),

    /** Reads into a buffer. The result is its filled part. */
    read: (path: string, handle: Buffer, into: Buffer, position: number) =>
      ask<Buffer>(path, (done) =>
        sftp.read(handle, into, 0, into.length, position, (error, bytes) => done(error, into.subarray(0, bytes))),
      ),
    write: (path: string, handle: Buffer, data: Buffer, position: number) =>
      ask<void>(path, (done) => sftp.write(handle, data, 0, data.length, position, done as never)),

    /** Makes sure that the content survives a power failure, if the device supports it. */
    flush: (handle: Buffer) =>
      ask<unknown>('', (done) => sftp.ext_openssh_fsync(handle, done as never)).then(
        () => undefined,
        () => undefined,
      ),

    /** Renames a file. It fails if the name exists. */
    rename: (path: string, to: string) => ask<void>(to, (done) => sftp.rename(path, to, done as never)),
    /** Gives a file the name of another one, which is replaced. */
    async replace(path: string, to: string): Promise<void> {
      try {
        await ask<void>(to, (done) => sftp.ext_openssh_rename(path, to, done as never));
      } catch (error) {
        // Without a status, the server does not have OpenSSH's extension, and cannot replace in one step.
        if (!(error instanceof Problem) || error.code !== 'terminalOver') throw error;
        await ask<void>(to, (done) => sftp.unlink(to, done as never));
        await ask<void>(to, (done) => sftp.rename(path, to, done as never));
      }
    },
    createFolder: (path: string) => ask<void>(path, (done) => sftp.mkdir(path, done as never)),
    remove: (path: string) => ask<void>(path, (done) => sftp.unlink(path, done as never)),
    removeFolder: (path: string) => ask<void>(path, (done) => sftp.rmdir(path, done as never)),
    /** True for a folder itself, and not for a symbolic link to one. */
    async isFolder(path: string): Promise<boolean> {
      return (await ask<Stats>(path, (done) => sftp.lstat(path, done))).isDirectory();
    },

    /** The problem of a failed write: SFTP has no status for a full disk. */
    async problemOfWrite(error: unknown, folder: string): Promise<unknown> {
      if (!(error instanceof Problem) || error.code !== 'deviceFileFailed') return error;
      const left = await free(folder);
      return left !== null && left < LITTLE_SPACE ? diskFull(left) : error;
    },
  };
}

export function diskFull(free: number): Problem {
  return new Problem('deviceDiskFull', { values: { free: formatSize(free) } });
}

function statsOf(stats: Stats): FileStats {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
  return { kind, size: stats.size ?? 0, modified: stats.mtime ?? 0, mode: stats.mode ?? 0 };
}

function problemOf(error: unknown, path: string): Problem {
  const code = (error as { code?: unknown }).code;
  const values = { path };
  if (code === STATUS.missing) return new Problem('deviceFileMissing', { values });
  if (code === STATUS.denied) return new Problem('deviceFileDenied', { values });
  // Without a status there was no answer: the connection has ended.
  return typeof code === 'number' ? new Problem('deviceFileFailed', { values }) : new Problem('terminalOver');
}
