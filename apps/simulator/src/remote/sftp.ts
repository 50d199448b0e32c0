import { posix } from 'node:path';
import ssh2, { type Attributes, type SFTPWrapper } from 'ssh2';
import { Disk, type Entry, MAX_FILE_BYTES, sizeOf } from './disk.ts';

const { STATUS_CODE: STATUS, OPEN_MODE: MODE } = ssh2.utils.sftp;
const MAX_HANDLES = 100;

interface Handle {
  path: string;
  /** the content while a file is open for writing; it grows in steps */
  written: { buffer: Buffer; size: number } | null;
  /** names that were not sent yet */
  names: string[] | null;
}

/** Serves the files of a device over SFTP. */
export function serveSftp(sftp: SFTPWrapper, disk: Disk): void {
  const handles = new Map<number, Handle>();
  let next = 0;

  const open = (id: number, handle: Handle) => {
    if (handles.size >= MAX_HANDLES) return sftp.status(id, STATUS.FAILURE);
    const number = next++;
    handles.set(number, handle);
    const name = Buffer.alloc(4);
    name.writeUInt32BE(number);
    sftp.handle(id, name);
  };
  const numberOf = (name: Buffer) => (name.length === 4 ? name.readUInt32BE() : -1);
  const find = (name: Buffer) => handles.get(numberOf(name));
  const done = (id: number, isDone: boolean) => sftp.status(id, isDone ? STATUS.OK : STATUS.FAILURE);
  const describe = (id: number, entry: Entry | undefined) => {
    if (entry) sftp.attrs(id, attributesOf(entry));
    else sftp.status(id, STATUS.NO_SUCH_FILE);
  };
  const at = (path: string) => Disk.resolve('/home', path);

  sftp.on('OPEN', (id, name, flags) => {
    const path = at(name);
    const entry = disk.get(path);
    if (entry?.content === null) return sftp.status(id, STATUS.FAILURE);
    if ((flags & MODE.WRITE) === 0) {
      if (!entry) return sftp.status(id, STATUS.NO_SUCH_FILE);
      return open(id, { path, written: null, names: null });
    }
    if (!entry && (flags & MODE.CREAT) === 0) return sftp.status(id, STATUS.NO_SUCH_FILE);
    const content = (flags & MODE.TRUNC) === 0 ? (entry?.content ?? Buffer.alloc(0)) : Buffer.alloc(0);
    if (!disk.write(path, content)) return sftp.status(id, STATUS.FAILURE);
    open(id, { path, written: { buffer: Buffer.from(content), size: content.length }, names: null });
  });
  sftp.on('WRITE', (id, name, offset, data) => {
    const written = find(name)?.written;
    const end = offset + data.length;
    if (!written || end > MAX_FILE_BYTES) return sftp.status(id, STATUS.FAILURE);
    if (end > written.buffer.length) {
      const larger = Buffer.alloc(Math.min(MAX_FILE_BYTES, Math.max(end, 2 * written.buffer.length)));
      written.buffer.copy(larger, 0, 0, written.size);
      written.buffer = larger;
    }
    data.copy(written.buffer, offset);
    written.size = Math.max(written.size, end);
    sftp.status(id, STATUS.OK);
  });
  sftp.on('READ', (id, name, offset, length) => {
    const handle = find(name);
    const content =
      handle && (handle.written?.buffer.subarray(0, handle.written.size) ?? disk.get(handle.path)?.content);
    if (!content) return sftp.status(id, STATUS.FAILURE);
    if (offset >= content.length) return sftp.status(id, STATUS.EOF);
    sftp.data(id, content.subarray(offset, offset + length));
  });
  sftp.on('CLOSE', (id, name) => {
    const handle = find(name);
    handles.delete(numberOf(name));
    if (!handle) return sftp.status(id, STATUS.FAILURE);
    const { path, written } = handle;
    done(id, written === null || disk.write(path, Buffer.from(written.buffer.subarray(0, written.size))));
  });
  sftp.on('FSTAT', (id, name) => {
    const handle = find(name);
    const entry = handle && disk.get(handle.path);
    const written = handle?.written;
    describe(id, entry && written ? { ...entry, content: written.buffer.subarray(0, written.size) } : entry);
  });
  sftp.on('STAT', (id, path) => describe(id, disk.get(at(path))));
  sftp.on('LSTAT', (id, path) => describe(id, disk.get(at(path))));
  // Times and permissions are not kept.
  sftp.on('SETSTAT', (id) => sftp.status(id, STATUS.OK));
  sftp.on('FSETSTAT', (id) => sftp.status(id, STATUS.OK));
  sftp.on('OPENDIR', (id, path) => {
    const names = disk.list(at(path));
    if (names) open(id, { path: at(path), written: null, names: ['.', '..', ...names] });
    else sftp.status(id, STATUS.NO_SUCH_FILE);
  });
  sftp.on('READDIR', (id, name) => {
    const handle = find(name);
    const names = handle?.names?.splice(0, 100) ?? [];
    if (!handle || names.length === 0) return sftp.status(id, STATUS.EOF);
    const listed = names.flatMap((filename) => {
      const entry = disk.get(Disk.resolve(handle.path, filename));
      return entry ? [{ filename, longname: longName(filename, entry), attrs: attributesOf(entry) }] : [];
    });
    sftp.name(id, listed);
  });
  sftp.on('REALPATH', (id, path) => {
    const entry: Entry = disk.get(at(path)) ?? { content: null, changedAt: new Date() };
    sftp.name(id, [{ filename: at(path), longname: at(path), attrs: attributesOf(entry) }]);
  });
  sftp.on('REMOVE', (id, path) => done(id, disk.get(at(path))?.content !== null && disk.remove(at(path))));
  sftp.on('RMDIR', (id, path) => done(id, disk.get(at(path))?.content === null && disk.remove(at(path))));
  sftp.on('MKDIR', (id, path) => done(id, disk.makeFolder(at(path))));
  sftp.on('RENAME', (id, from, to) => done(id, disk.rename(at(from), at(to))));
}

function attributesOf(entry: Entry): Attributes {
  const time = Math.floor(entry.changedAt.getTime() / 1_000);
  return {
    mode: entry.content === null ? 0o040755 : 0o100644,
    ...{ uid: 1_000, gid: 1_000, size: sizeOf(entry), atime: time, mtime: time },
  };
}

/** A line as `ls -l` shows it. */
export function longName(name: string, entry: Entry): string {
  const mode = entry.content === null ? 'drwxr-xr-x' : '-rw-r--r--';
  const time = entry.changedAt.toISOString().slice(0, 16).replace('T', ' ');
  return `${mode} 1 demo demo ${String(sizeOf(entry)).padStart(9)} ${time} ${posix.basename(name)}`;
}
