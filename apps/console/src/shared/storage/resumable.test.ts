import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { discardParts, putResumable, type StoredParts } from './resumable.ts';
import { PART_BYTES } from './s3-upload.ts';
import type { StoreClient } from './store.ts';

const PREFIX = 'document/incoming/u1/';
const client = async () =>
  ({
    aws: { sign: async (url: URL | string, init: RequestInit) => new Request(url, init) },
    credential: { prefixes: [PREFIX] },
    url: (key: string) => new URL(`http://store.test/bucket/${key}`),
  }) as unknown as StoreClient;

/** The requests that reached the store, as `PART 2`; the test may fail some of them. */
let requests: string[] = [];
/** what happens to a request: an HTTP status, `cut` before the store, or `lost` after it */
let outcome: (name: string) => number | 'cut' | 'lost' | 'held' = () => 200;
let uploads: Map<string, Set<number>>;
let objects: Set<string>;

/** An object store with the calls of a multipart upload. */
function serve(method: string, address: string): { name: string; status: number; text: string } {
  const { searchParams: query, pathname } = new URL(address);
  const id = query.get('uploadId') ?? '';
  const part = query.get('partNumber');
  const answer = (name: string, status: number, text = '') => ({ name, status, text });
  if (query.has('uploads')) {
    const uploadId = `upload-${uploads.size + 1}`;
    uploads.set(uploadId, new Set());
    return answer('BEGIN', 200, `<UploadId>${uploadId}</UploadId>`);
  }
  if (part !== null) {
    if (!uploads.has(id)) return answer(`PART ${part}`, 404);
    uploads.get(id)?.add(Number(part));
    return answer(`PART ${part}`, 200);
  }
  if (method === 'DELETE') return answer('ABORT', uploads.delete(id) ? 204 : 404);
  if (method === 'POST') {
    if (!uploads.delete(id)) return answer('COMPLETE', 404);
    objects.add(pathname);
    return answer('COMPLETE', 200);
  }
  if (objects.has(pathname)) return answer('PUT', 412);
  objects.add(pathname);
  return answer('PUT', 200);
}

/** Handles a request as the test wants; undefined: no response. */
function handled(method: string, url: string): { status: number; text: string } | 'held' | undefined {
  const name = nameOf(method, url);
  const result = outcome(name);
  if (result === 'held') return 'held';
  if (result !== 'cut') requests.push(name);
  if (result === 'cut') return undefined;
  if (typeof result === 'number' && result !== 200) return { status: result, text: '' };
  const served = serve(method, url);
  return result === 'lost' ? undefined : served;
}

function nameOf(method: string, url: string): string {
  const { searchParams: query } = new URL(url);
  if (query.has('uploads')) return 'BEGIN';
  const part = query.get('partNumber');
  if (part !== null) return `PART ${part}`;
  return method === 'POST' ? 'COMPLETE' : method === 'DELETE' ? 'ABORT' : 'PUT';
}

class StubXhr {
  upload: { onprogress?: (event: { loaded: number }) => void } = {};
  status = 0;
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  #request: [string, string] = ['', ''];
  open(...request: [string, string]) {
    this.#request = request;
  }
  setRequestHeader() {
    return undefined;
  }
  getResponseHeader() {
    return `"${nameOf(...this.#request)}"`;
  }
  send(body: Blob) {
    queueMicrotask(() => {
      const response = handled(...this.#request);
      if (response === 'held') return;
      this.upload.onprogress?.({ loaded: body.size });
      this.status = response?.status ?? 0;
      if (response) this.onload?.();
      else this.onerror?.();
    });
  }
  abort() {
    this.onabort?.();
  }
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 500 });
  vi.stubGlobal('XMLHttpRequest', StubXhr);
  vi.stubGlobal('fetch', async (request: Request) => {
    const response = handled(request.method, request.url);
    if (!response || response === 'held') throw new TypeError('Failed to fetch');
    return new Response(response.status === 204 ? null : response.text, { status: response.status });
  });
  requests = [];
  uploads = new Map();
  objects = new Set();
  outcome = () => 200;
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Four parts, the last one small. */
const FILE = new File([new Uint8Array(3 * PART_BYTES + 10)], 'log.zip');

function upload(file: File, stored: StoredParts | null = null, signal = new AbortController().signal) {
  const steps: StoredParts[] = [];
  const sent: number[] = [];
  const result = putResumable(file, {
    ...{ client, folder: 'document/', signal, stored },
    onSent: (bytes) => sent.push(bytes),
    onStored: (parts) => steps.push(parts),
  });
  return { result, steps, sent };
}

describe('a file in parts', () => {
  it('is sent, completed and reported', async () => {
    const { result, steps, sent } = upload(FILE);
    const key = await result;
    expect(key).toMatch(/^document\/incoming\/u1\/.+\.zip$/);
    expect(requests.toSorted()).toEqual(['BEGIN', 'COMPLETE', 'PART 1', 'PART 2', 'PART 3', 'PART 4']);
    expect(sent.at(-1)).toBe(FILE.size);
    expect(steps.at(-1)).toMatchObject({
      key,
      complete: true,
      etags: ['"PART 1"', '"PART 2"', '"PART 3"', '"PART 4"'],
    });
  });

  it('keeps its parts when the connection is lost, and later sends only the others', async () => {
    outcome = (name) => (name === 'PART 3' ? 'cut' : 200);
    const first = upload(FILE);
    await expect(first.result).rejects.toThrow(expect.objectContaining({ name: 'LineBroken' }));
    expect(requests).not.toContain('ABORT');
    outcome = () => 200;
    requests = [];
    const stored = first.steps.at(-1)!;
    const second = upload(FILE, stored);
    expect(await second.result).toBe(stored.key);
    expect(requests).toContain('PART 3');
    expect(requests).not.toContain('PART 1');
    expect(second.sent[0]).toBeGreaterThan(0);
  });

  it.each(['BEGIN', 'PART 3', 'COMPLETE'])('continues after the store restarted at %s', async (request) => {
    outcome = (name) => (name === request ? 503 : 200);
    const first = upload(FILE);
    await expect(first.result).rejects.toThrow(expect.objectContaining({ name: 'LineBroken' }));
    outcome = () => 200;
    expect(await upload(FILE, first.steps.at(-1) ?? null).result).toMatch(/\.zip$/);
    expect(requests.filter((name) => name === 'PART 1')).toHaveLength(1);
  });

  it('keeps its parts when it is paused', async () => {
    outcome = (name) => (name === 'PART 2' ? 'held' : 200);
    const pause = new AbortController();
    const first = upload(FILE, null, pause.signal);
    await expect.poll(() => requests).toContain('PART 4');
    pause.abort(new Error('paused'));
    await expect(first.result).rejects.toThrow('paused');
    outcome = () => 200;
    requests = [];
    await upload(FILE, first.steps.at(-1)!).result;
    expect(requests).toEqual(['PART 2', 'COMPLETE']);
  });

  it('starts again when the store has swept its parts', async () => {
    const stored = { key: `${PREFIX}old.zip`, uploadId: 'old', etags: ['"1"', null, null, null], complete: false };
    const { result } = upload(FILE, stored);
    expect(await result).not.toBe(stored.key);
    expect(requests.filter((name) => name === 'COMPLETE')).toHaveLength(1);
  });

  it('is complete if only the response to its completion was lost', async () => {
    outcome = (name) => (name === 'COMPLETE' ? 'lost' : 200);
    const first = upload(FILE);
    await expect(first.result).rejects.toThrow();
    outcome = () => 200;
    expect(await upload(FILE, first.steps.at(-1)!).result).toBe(first.steps.at(-1)!.key);
    expect(requests.filter((name) => name === 'PART 1')).toHaveLength(1);
  });

  it('fails with the answer of a store that refuses it', async () => {
    outcome = (name) => (name === 'PART 1' ? 403 : 200);
    await expect(upload(FILE).result).rejects.toThrow('403');
  });

  it('is deleted when it is cancelled', async () => {
    outcome = (name) => (name === 'PART 4' ? 403 : 200);
    const first = upload(FILE);
    await expect(first.result).rejects.toThrow();
    await discardParts(first.steps.at(-1)!, client);
    expect(uploads.size).toBe(0);
  });
});

describe('a small file', () => {
  it('is sent in one request, again if the response was lost', async () => {
    let lost = 0;
    outcome = () => {
      lost += 1;
      return lost === 1 ? 'lost' : 200;
    };
    const { result, steps } = upload(new File(['text'], 'a.txt'));
    const key = await result;
    expect(objects.size).toBe(1);
    expect(steps).toEqual([{ key, uploadId: null, etags: [], complete: true }]);
  });
});
