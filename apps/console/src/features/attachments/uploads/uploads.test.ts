import { describe, expect, it } from 'vitest';
import type { StoredParts } from '../../../shared/storage/resumable.ts';
import { PART_BYTES } from '../../../shared/storage/s3-upload.ts';
import type { UploadRecord } from './records.ts';
import { totalOf, type UploadItem, type UploadTarget } from './upload-item.ts';
import { createUploads, type UploadParts } from './uploads.ts';

const TARGET: UploadTarget = { folderId: 7, folderName: 'Photos', type: 'normal' };
const fileOf = (name: string, size = 4) => new File(['x'.repeat(size)], name, { lastModified: 1_000 });

/** The outside of a queue: every upload waits until the test stores it, fails it or cuts the connection. */
function outside(records = new Map<string, UploadRecord>(), space = Number.POSITIVE_INFINITY) {
  const sending = new Map<string, PromiseWithResolvers<string> & { stored: StoredParts | null }>();
  const saved: string[] = [];
  const discarded: string[] = [];
  const waits: number[] = [];
  let wake: (() => void)[] = [];
  const elsewhere = new Set<string>();
  const parts: UploadParts = {
    put(file, { signal, stored, onStored, onSent }) {
      const request = Promise.withResolvers<string>();
      sending.set(file.name, { ...request, stored });
      signal.addEventListener('abort', () => {
        sending.delete(file.name);
        request.reject(signal.reason);
      });
      const begun = stored ?? { key: `k/${file.name}`, uploadId: 'u', etags: ['"1"', null], complete: false };
      if (!stored) onStored(begun);
      onSent(file.size - 1);
      return request.promise.then((key) => {
        onStored({ ...begun, key, complete: true });
        return key;
      });
    },
    async discard({ key }) {
      discarded.push(key);
    },
    async check({ name, size }, _target, onTheWay) {
      if (name.endsWith('.exe')) return { fault: 'type' };
      const free = space - onTheWay();
      return size <= free ? null : { free };
    },
    async save({ name }, key) {
      saved.push(key);
      return { name: `saved ${name}` };
    },
    records: {
      all: async () => [...records.values()],
      put: async (record) => void records.set(record.id, record),
      remove: async (id) => void records.delete(id),
    },
    claim: async (id) => !elsewhere.has(id),
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        waits.push(ms);
        wake.push(resolve);
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
    failureOf: async (error) =>
      (error as Error).message === 'cut' ? 'connection' : { problem: { fault: 'failed' }, restart: true },
  };
  const uploads = createUploads(parts);
  const stateOf = (name: string) => uploads.items.get().find((item) => item.name === name)?.state;
  return {
    ...{ uploads, parts, sending, saved, discarded, waits, records, elsewhere, stateOf },
    idOf: (name: string) => uploads.items.get().find((item) => item.name === name)!.id,
    becomes: (name: string, state: UploadItem['state'] | undefined) => expect.poll(() => stateOf(name)).toBe(state),
    finish: (name: string) => sending.get(name)!.resolve(`k/${name}`),
    reconnect() {
      for (const one of wake.splice(0)) one();
      wake = [];
    },
  };
}

describe('the queue', () => {
  it('sends only what fits next to the other uploads, and the rest when it is tried again', async () => {
    const { uploads, becomes, finish, sending, idOf } = outside(new Map(), 10);
    const files = [fileOf('large.txt', 11), fileOf('a.txt', 6), fileOf('b.txt', 6)];
    uploads.add(
      files.map((file) => ({ file })),
      TARGET,
    );
    await becomes('large.txt', 'failed');
    await becomes('a.txt', 'sending');
    await becomes('b.txt', 'failed');
    expect(uploads.items.get().map(({ problem }) => problem)).toEqual([{ free: 10 }, null, { free: 4 }]);
    expect([...sending.keys()]).toEqual(['a.txt']);
    finish('a.txt');
    await becomes('a.txt', 'done');
    uploads.resume(idOf('b.txt'));
    await becomes('b.txt', 'sending');
  });

  it('uploads four files at a time and saves each under the name of the server', async () => {
    const { uploads, becomes, finish, stateOf, saved, records } = outside();
    uploads.add(
      ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'].map((name) => ({ file: fileOf(name) })),
      TARGET,
    );
    await becomes('d.txt', 'sending');
    expect(stateOf('e.txt')).toBe('waiting');
    finish('a.txt');
    await becomes('a.txt', 'done');
    await becomes('e.txt', 'sending');
    expect(uploads.items.get()[0]).toMatchObject({ savedAs: 'saved a.txt', sent: 4 });
    for (const name of ['b.txt', 'c.txt', 'd.txt', 'e.txt']) finish(name);
    await becomes('e.txt', 'done');
    expect(saved).toEqual(['k/a.txt', 'k/b.txt', 'k/c.txt', 'k/d.txt', 'k/e.txt']);
    await expect.poll(() => records.size).toBe(0);
  });

  it('sends the next file while another is registered, and two files in parts at a time', async () => {
    const { uploads, becomes, finish, stateOf, parts } = outside();
    const saving = Promise.withResolvers<{ name: string }>();
    parts.save = () => saving.promise;
    uploads.add(
      ['a.txt', 'b.txt', 'c.txt'].map((name) => ({ file: fileOf(name, PART_BYTES + 1) })),
      TARGET,
    );
    await becomes('b.txt', 'sending');
    expect(stateOf('c.txt')).toBe('waiting');
    finish('a.txt');
    await becomes('a.txt', 'saving');
    await becomes('c.txt', 'sending');
    saving.resolve({ name: 'a.txt' });
    await becomes('a.txt', 'done');
  });

  it('takes linear time: 5,000 files are handled as fast as ten times 500', async () => {
    const { uploads, parts } = outside();
    parts.put = async () => 'k';
    let published = 0;
    uploads.items.subscribe(() => {
      published += 1;
    });
    uploads.add(
      Array.from({ length: 5_000 }, (_, index) => ({ file: fileOf(`${index}.txt`) })),
      TARGET,
    );
    await expect.poll(() => totalOf(uploads.items.get()).done, { timeout: 10_000 }).toBe(5_000);
    // Once in 200 ms, not at each of 20,000 steps.
    expect(published).toBeLessThan(100);
  });

  it('continues by itself after a lost connection, with longer and longer pauses', async () => {
    const { uploads, becomes, sending, reconnect, finish, waits } = outside();
    uploads.add([{ file: fileOf('a.txt') }], TARGET);
    for (let times = 0; times < 3; times += 1) {
      await becomes('a.txt', 'sending');
      sending.get('a.txt')!.reject(new Error('cut'));
      await becomes('a.txt', 'interrupted');
      await expect.poll(() => waits.length).toBe(times + 1);
      reconnect();
    }
    await becomes('a.txt', 'sending');
    expect(sending.get('a.txt')?.stored).toMatchObject({ uploadId: 'u' });
    finish('a.txt');
    await becomes('a.txt', 'done');
    expect(waits).toEqual([1_000, 2_000, 4_000]);
  });

  it('keeps the stored parts of a paused file, and gives its place to the next one', async () => {
    const { uploads, becomes, idOf, sending } = outside();
    uploads.add(
      ['a.txt', 'b.txt', 'd.txt', 'e.txt', 'c.txt'].map((name) => ({ file: fileOf(name) })),
      TARGET,
    );
    await becomes('a.txt', 'sending');
    uploads.pause(idOf('a.txt'));
    await becomes('a.txt', 'paused');
    await becomes('c.txt', 'sending');
    uploads.cancel(idOf('b.txt'));
    uploads.resume(idOf('a.txt'));
    await becomes('a.txt', 'sending');
    expect(sending.get('a.txt')?.stored?.etags).toEqual(['"1"', null]);
  });

  it.each(['paused', 'interrupted', 'failed'] as const)('shows only what is stored when it is %s', async (state) => {
    const { uploads, becomes, idOf, sending } = outside();
    const sent = () => uploads.items.get()[0]?.sent;
    uploads.add([{ file: fileOf('a.txt', PART_BYTES + 4) }], TARGET);
    await becomes('a.txt', 'sending');
    await expect.poll(sent).toBe(PART_BYTES + 3);
    if (state === 'paused') uploads.pause(idOf('a.txt'));
    else sending.get('a.txt')!.reject(new Error(state === 'interrupted' ? 'cut' : 'refused'));
    await becomes('a.txt', state);
    // After a failure, this upload starts again from nothing.
    expect(sent()).toBe(state === 'failed' ? 0 : PART_BYTES);
  });

  it('a cancelled file leaves neither parts nor a record', async () => {
    const { uploads, becomes, idOf, discarded, records } = outside();
    uploads.add([{ file: fileOf('a.txt') }], TARGET);
    await becomes('a.txt', 'sending');
    uploads.cancel(idOf('a.txt'));
    await becomes('a.txt', undefined);
    expect(discarded).toEqual(['k/a.txt']);
    await expect.poll(() => records.size).toBe(0);
  });

  it('shows why a file failed, uploads the others, and starts again from nothing if the object is gone', async () => {
    const { uploads, becomes, finish, idOf, sending } = outside();
    uploads.add(
      ['a.exe', 'b.txt', 'c.txt'].map((name) => ({ file: fileOf(name) })),
      TARGET,
    );
    await becomes('a.exe', 'failed');
    expect(uploads.items.get()[0]?.problem).toEqual({ fault: 'type' });
    await becomes('c.txt', 'sending');
    sending.get('c.txt')!.reject(new Error('too large'));
    await becomes('c.txt', 'failed');
    uploads.resume(idOf('c.txt'));
    await becomes('c.txt', 'sending');
    expect(sending.get('c.txt')?.stored).toBeNull();
    finish('b.txt');
    await becomes('b.txt', 'done');
    expect(totalOf(uploads.items.get())).toMatchObject({ sent: 7, size: 8, done: 1, failed: 1, open: 1 });
  });
});

describe('after a reload', () => {
  const entry = (name: string, values: Partial<UploadRecord> = {}): [string, UploadRecord] => {
    const stored = { key: `k/${name}`, uploadId: 'u', etags: ['"1"', null], complete: false };
    return [
      name,
      { id: name, name, size: 4, lastModified: 1_000, target: TARGET, stored, handle: null, at: 1, ...values },
    ];
  };

  it('asks for the same file again, and sends only what is missing', async () => {
    const { uploads, becomes, sending } = outside(new Map([entry('a.txt')]));
    await uploads.restore();
    await becomes('a.txt', 'fileMissing');
    expect(uploads.items.get()[0]?.sent).toBe(4);
    expect(uploads.giveFile('a.txt', { file: fileOf('other.txt') })).toBe(false);
    expect(uploads.giveFile('a.txt', { file: fileOf('a.txt', 5) })).toBe(false);
    expect(uploads.giveFile('a.txt', { file: new File(['xxxx'], 'a.txt', { lastModified: 2_000 }) })).toBe(false);
    expect(uploads.giveFile('a.txt', { file: fileOf('a.txt') })).toBe(true);
    await becomes('a.txt', 'sending');
    expect(sending.get('a.txt')?.stored?.etags).toEqual(['"1"', null]);
  });

  it('continues when the file is dropped into the same folder again', async () => {
    const { uploads, becomes } = outside(new Map([entry('a.txt')]));
    await uploads.restore();
    uploads.add([{ file: fileOf('a.txt') }], { ...TARGET, folderId: 8 });
    expect(uploads.items.get()).toHaveLength(2);
    uploads.add([{ file: fileOf('a.txt') }], TARGET);
    expect(uploads.items.get()).toHaveLength(2);
    await becomes('a.txt', 'sending');
  });

  it('opens the file itself where the browser allows it, and asks for permission otherwise', async () => {
    const handle = (permission: string) =>
      ({
        queryPermission: async () => permission,
        requestPermission: async () => 'granted',
        getFile: async () => fileOf('a.txt'),
      }) as unknown as FileSystemFileHandle;
    const granted = outside(new Map([entry('a.txt', { handle: handle('granted') })]));
    await granted.uploads.restore();
    await granted.becomes('a.txt', 'sending');
    const prompt = outside(new Map([entry('a.txt', { handle: handle('prompt') })]));
    await prompt.uploads.restore();
    expect(prompt.uploads.items.get()[0]).toMatchObject({ state: 'fileMissing', reopens: true });
    expect(await prompt.uploads.reopen('a.txt')).toBe(true);
    await prompt.becomes('a.txt', 'sending');
  });

  it('saves a file that was stored completely, without asking for it', async () => {
    const stored = { key: 'k/a.txt', uploadId: 'u', etags: ['"1"', '"2"'], complete: true };
    const { uploads, becomes, saved } = outside(new Map([entry('a.txt', { stored })]));
    await uploads.restore();
    await becomes('a.txt', 'done');
    expect(saved).toEqual(['k/a.txt']);
  });

  it('leaves uploads of other tabs alone', async () => {
    const { uploads, elsewhere } = outside(new Map([entry('a.txt'), entry('b.txt')]));
    elsewhere.add('a.txt');
    await uploads.restore();
    expect(uploads.items.get().map(({ name }) => name)).toEqual(['b.txt']);
  });
});
