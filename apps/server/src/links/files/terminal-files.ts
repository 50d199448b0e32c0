import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import type { DeviceFolder, LinkTransfer, Locale, SharedUpload, WithDates } from '@chargehand/contract';
import { messageOf } from '@chargehand/contract';
import type { Client } from 'ssh2';
import { type Clock, settled } from '../../platform/clock.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { RunningActivity } from '../activity/activity.ts';
import { type DeviceSftp, deviceSftp, diskFull, type FileStats } from './device-sftp.ts';
import { readAhead, readToEnd } from './read-ahead.ts';
import { newPart, removeStaleParts } from './stale-parts.ts';
import { writeBehind } from './write-behind.ts';

/** Entries of a folder in one list. */
const MAX_ENTRIES = 2_000;
/** Transfers of a terminal at a time, and remembered ones. */
const MAX_RUNNING = 4;
const MAX_REMEMBERED = 50;
/** The largest part of an upload. Its sender starts with smaller ones, because a part must arrive within 30 seconds. */
const PART_BYTES = 64 * 1024 * 1024;
const NEW_FILE_MODE = 0o644;
const START_MS = 20_000;
/** How long the end of a terminal waits until incomplete uploads are removed. */
const CLEANUP_MS = 1_000;

interface Transfer {
  id: string;
  direction: LinkTransfer['direction'];
  path: string;
  size: number;
  bytes: number;
  /** the first byte of a download that continues */
  first: number;
  state: LinkTransfer['state'];
  problem: Problem | null;
  startedAt: Date;
  /** the record of what is running */
  record: RunningActivity | null;
  upload: Upload | null;
  /** Stops what is running, without the state of the transfer. */
  stop: (() => void) | null;
  /** resolves when what was running has stopped */
  running: Promise<unknown>;
}

interface Upload {
  /** the name of the file until it is complete */
  partPath: string;
  handle: Buffer;
  replaced: FileStats | null;
}

interface Range {
  from: number;
  /** after the last byte */
  to: number;
}

interface OpenDownload {
  path: string;
  size: number;
  tag: string;
  /** null for a range that the file does not have */
  content: DownloadContent | null;
}

/** The bytes of a download. Call `over` when they are not read to their end. */
interface DownloadContent {
  bytes: AsyncIterable<Buffer>;
  /** sets what stops the reader when the transfer is cancelled */
  onStop(stop: () => void): void;
  over(): void;
}

export type TerminalFiles = ReturnType<typeof terminalFiles>;

/**
 * The files of a device through the SSH connection of a terminal. They end with it. Nothing is kept in memory but a
 * window of 2 MB for each transfer.
 */
export function terminalFiles(
  client: Pick<Client, 'sftp'>,
  { clock, begin }: { clock: Clock; begin(text: string): RunningActivity | null },
) {
  const transfers: Transfer[] = [];
  let opened: Promise<DeviceSftp> | null = null;
  let ended = false;
  let starting = 0;

  /** @throws {Problem} deviceWithoutSftp, terminalOver */
  function sftp(): Promise<DeviceSftp> {
    if (ended) return Promise.reject(new Problem('terminalOver'));
    opened ??= new Promise<DeviceSftp>((resolve, reject) => {
      const refuse = () => {
        opened = null;
        reject(new Problem(ended ? 'terminalOver' : 'deviceWithoutSftp'));
      };
      const cancel = clock.after(START_MS, refuse);
      try {
        client.sftp((error, channel) => {
          cancel();
          if (error) return refuse();
          const forget = () => {
            opened = null;
          };
          channel.on('error', forget).on('close', forget);
          resolve(deviceSftp(channel));
        });
      } catch {
        cancel();
        refuse();
      }
    });
    return opened;
  }

  /** @throws {Problem} if it cannot be recorded */
  function recorded(text: string): RunningActivity {
    const record = begin(text);
    if (!record) throw new Problem('deviceTransferUnrecorded');
    return record;
  }

  /** A change of a file, which is recorded. */
  async function change(text: string, work: (device: DeviceSftp) => Promise<void>): Promise<void> {
    const device = await sftp();
    const record = recorded(text);
    try {
      await work(device);
      record.end('done');
    } catch (error) {
      record.end('failed');
      throw error;
    }
  }

  function find(id: string, direction?: Transfer['direction']): Transfer {
    const found = transfers.find((one) => one.id === id && (!direction || one.direction === direction));
    if (!found) throw notFound('linkTransfer');
    return found;
  }

  function requireFree(): void {
    const running = transfers.filter(({ state }) => state === 'running').length;
    if (running + starting >= MAX_RUNNING) throw new Problem('deviceTransfersFull', { values: { most: MAX_RUNNING } });
  }

  /** Starts a transfer, if not too many are running. */
  async function within<T>(start: () => Promise<T>): Promise<T> {
    requireFree();
    starting += 1;
    try {
      return await start();
    } finally {
      starting -= 1;
    }
  }

  function add(values: Pick<Transfer, 'direction' | 'path' | 'size' | 'state' | 'upload' | 'record'>): Transfer {
    const transfer: Transfer = {
      ...{ id: randomUUID(), bytes: 0, problem: null, startedAt: clock.now(), first: 0, stop: null },
      ...{ running: Promise.resolve(), ...values },
    };
    transfers.unshift(transfer);
    const last = transfers.findLastIndex(({ state }) => state !== 'running');
    if (transfers.length > MAX_REMEMBERED && last > 0) transfers.splice(last, 1);
    return transfer;
  }

  function finish(transfer: Transfer, state: 'done' | 'failed' | 'cancelled', error: unknown = null): void {
    if (transfer.state !== 'running') return;
    transfer.state = state;
    transfer.problem = error instanceof Problem ? error : state === 'failed' ? new Problem('terminalOver') : null;
    const { direction, first, bytes, record } = transfer;
    record?.end(state, direction === 'upload' ? { bytesOut: bytes } : { bytesIn: bytes - first });
  }

  /** Removes what an upload has written. */
  async function discard({ upload }: Transfer): Promise<void> {
    if (!upload) return;
    const device = await sftp();
    await device.close(upload.handle).catch(() => undefined);
    await device.remove(upload.partPath);
  }

  async function fail(transfer: Transfer, error: unknown): Promise<never> {
    finish(transfer, 'failed', error);
    await discard(transfer).catch(() => undefined);
    throw error;
  }

  /** Gives a complete upload its name. */
  async function complete(transfer: Transfer, { partPath, handle, replaced }: Upload): Promise<void> {
    const device = await sftp();
    await device.flush(handle);
    await device.close(handle);
    if (replaced) {
      await device.setMode(partPath, replaced.mode).catch(() => undefined);
      await device.replace(partPath, transfer.path);
    } else {
      await device.rename(partPath, transfer.path);
    }
    finish(transfer, 'done');
  }

  function uploadOf({ id, bytes, size, state }: Transfer): SharedUpload {
    return { id, received: bytes, size, partBytes: PART_BYTES, done: state === 'done' };
  }

  function requireRunning(transfer: Transfer): Upload {
    if (transfer.state === 'running' && transfer.upload) return transfer.upload;
    throw transfer.problem ?? new Problem('terminalOver');
  }

  /** The content of a download that has started. */
  async function* contentOf(
    transfer: Transfer,
    device: DeviceSftp,
    handle: Buffer,
    range: Range | null,
    over: () => void,
  ) {
    const { path } = transfer;
    try {
      for await (const data of range ? readAhead(device, path, handle, range) : readToEnd(device, path, handle)) {
        transfer.bytes += data.length;
        yield data;
      }
      finish(transfer, 'done');
    } catch (error) {
      finish(transfer, 'failed', error);
      throw error;
    } finally {
      over();
    }
  }

  /** Opens the file of a download. Its size and tag decide about the range; null: no content is needed. */
  async function open(
    transfer: Transfer,
    rangeOf: (file: { size: number; tag: string }) => Range | null,
  ): Promise<OpenDownload> {
    const device = await sftp();
    const { path } = transfer;
    const { size, modified } = await device.stat(path);
    const tag = `"${size}-${modified}"`;
    const range = rangeOf({ size, tag });
    if (!range) return { path, size, tag, content: null };
    const begun = {
      size,
      first: range.from,
      bytes: range.from,
      startedAt: clock.now(),
      record: recorded(`download ${path}`),
    };
    Object.assign(transfer, { ...begun, state: 'running', problem: null });
    const handle = await device.openToRead(path).catch((error) => {
      finish(transfer, 'failed', error);
      throw error;
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    transfer.running = promise;
    const over = () => {
      finish(transfer, 'cancelled');
      transfer.stop = null;
      device.close(handle).catch(() => undefined);
      resolve();
    };
    const content = {
      // A file without a size, such as those of /proc, is read to its end.
      bytes: contentOf(transfer, device, handle, size === 0 ? null : range, over),
      onStop: (stop: () => void) => {
        transfer.stop = stop;
      },
      over,
    };
    return { path, size, tag, content };
  }

  /** Creates the file of an upload, under another name. */
  async function begun(entered: { path: string; size: number; replace: boolean }): Promise<SharedUpload> {
    const device = await sftp();
    const found = await device.find(entered.path);
    if (found && found.kind !== 'file') throw new Problem('deviceNotFile', { values: { path: entered.path } });
    if (found && !entered.replace) throw new Problem('deviceFileExists', { values: { path: entered.path } });
    // A symbolic link stays one: the file that it names is replaced.
    const path = found ? await device.realPath(entered.path) : entered.path;
    const folder = posix.dirname(path);
    const free = await device.free(folder);
    if (free !== null && free < entered.size) throw diskFull(free);
    const partPath = newPart(folder);
    const record = recorded(`upload ${path}`);
    const handle = await device.create(path, partPath, found ? found.mode : NEW_FILE_MODE).catch(async (error) => {
      record.end('failed');
      throw await device.problemOfWrite(error, folder);
    });
    const transfer = add({
      ...{ direction: 'upload', path, size: entered.size, state: 'running' },
      upload: { partPath, handle, replaced: found },
      record,
    });
    removeStaleParts(device, partPath).catch(() => undefined);
    if (entered.size === 0) {
      await complete(transfer, requireRunning(transfer)).catch((error) => fail(transfer, error));
    }
    return uploadOf(transfer);
  }

  return {
    async list(path: string | undefined): Promise<DeviceFolder> {
      const device = await sftp();
      const folder = await device.realPath(path ?? '.');
      return { path: folder, ...(await device.list(folder, MAX_ENTRIES)) };
    },

    createFolder: (path: string) => change(`create folder ${path}`, (device) => device.createFolder(path)),

    rename: (path: string, to: string) =>
      change(`rename ${path} ${to}`, async (device) => {
        if (await device.find(to)) throw new Problem('deviceFileExists', { values: { path: to } });
        await device.rename(path, to);
      }),

    remove: (path: string) =>
      change(`delete ${path}`, async (device) => {
        if (await device.isFolder(path)) await device.removeFolder(path);
        else await device.remove(path);
      }),

    transfers(locale: Locale): WithDates<LinkTransfer>[] {
      return transfers.map(({ id, direction, path, size, bytes, state, problem, startedAt }) => ({
        ...{ id, direction, path, size, bytes, state, startedAt },
        problem: problem && messageOf(problem.code, locale, problem.values),
      }));
    },

    /** @returns the id of the transfer */
    async startDownload(path: string): Promise<string> {
      requireFree();
      const { kind, size } = await (await sftp()).stat(path);
      if (kind !== 'file') throw new Problem('deviceNotFile', { values: { path } });
      return add({ direction: 'download', path, size, state: 'waiting', upload: null, record: null }).id;
    },

    /** Opens the file of a download. Its size and tag decide about the range; null: no content is needed. */
    async read(id: string, rangeOf: (file: { size: number; tag: string }) => Range | null): Promise<OpenDownload> {
      const transfer = find(id, 'download');
      transfer.stop?.();
      await transfer.running;
      return await within(() => open(transfer, rangeOf));
    },

    startUpload: (entered: { path: string; size: number; replace: boolean }) => within(() => begun(entered)),

    upload: (id: string): SharedUpload => uploadOf(find(id, 'upload')),

    /** Writes the next part of an upload, and gives the file its name after the last one. */
    async part(id: string, offset: number, body: Readable): Promise<SharedUpload> {
      const transfer = find(id, 'upload');
      if (transfer.state === 'done') return uploadOf(transfer);
      requireRunning(transfer);
      // The connection of the part before was lost.
      transfer.stop?.();
      await transfer.running;
      const upload = requireRunning(transfer);
      if (offset !== transfer.bytes || transfer.stop) throw new Problem('deviceUploadPart', { field: 'offset' });
      const device = await sftp();
      const { promise, resolve } = Promise.withResolvers<void>();
      transfer.running = promise;
      transfer.stop = () => void body.destroy();
      try {
        const most = transfer.size - offset;
        const onBytes = (bytes: number) => {
          transfer.bytes += bytes;
        };
        const end = await writeBehind(device, transfer.path, upload.handle, body, { from: offset, most, onBytes });
        if (end?.by === 'device') {
          await fail(transfer, await device.problemOfWrite(end.error, posix.dirname(transfer.path)));
        }
        // The sender left. It may continue at the position that the device has.
        if (end) throw new Problem('deviceUploadPart', { field: 'offset' });
        if (transfer.bytes === transfer.size && transfer.state === 'running') {
          await complete(transfer, upload).catch(async (failure) =>
            fail(transfer, await device.problemOfWrite(failure, posix.dirname(transfer.path))),
          );
        }
        return uploadOf(transfer);
      } finally {
        transfer.stop = null;
        resolve();
      }
    },

    async cancel(id: string): Promise<void> {
      const transfer = find(id);
      const isRunning = transfer.state === 'running';
      finish(transfer, 'cancelled');
      transfer.stop?.();
      await transfer.running;
      if (isRunning && transfer.upload) await discard(transfer);
    },

    /** Stops the transfers, and removes incomplete uploads if the connection still works. Takes a second at most. */
    async end(): Promise<void> {
      const running = transfers.filter(({ state }) => state === 'running');
      for (const one of running) {
        finish(one, 'cancelled');
        one.stop?.();
      }
      const incomplete = running.filter(({ upload }) => upload !== null);
      const cleanup = Promise.allSettled(incomplete.map(discard));
      if (incomplete.length > 0) await settled(cleanup, clock, CLEANUP_MS);
      ended = true;
    },
  };
}
