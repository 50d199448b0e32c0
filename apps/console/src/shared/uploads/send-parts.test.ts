import type { SharedUpload } from '@chargehand/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiProblem } from '../api/problem.ts';
import { sendParts } from './send-parts.ts';

vi.mock('../i18n/i18n.ts', () => ({ i18n: { language: 'en-US', t: (key: string) => key } }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const upload = (received: number) => ({ received, done: false, partBytes: 10 }) as SharedUpload;

it('waits longer while no part arrives, and ends when the server refuses the file', async () => {
  let received = 0;
  let answer = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'));
  vi.stubGlobal('fetch', () => answer());
  const begun: number[] = [];
  const result = sendParts(new Blob(['0123456789']), {
    async begin() {
      begun.push(Date.now());
      return upload(received);
    },
    target: () => ['PUT', '/part'],
    ...{ wrongPart: 1, signal: new AbortController().signal, onProgress: () => undefined },
  });
  const refused = expect(result).rejects.toMatchObject({ kind: 'http', status: 403 });
  const pauses = () => begun.slice(1).map((at, index) => at - begun[index]!);

  await vi.advanceTimersByTimeAsync(38_000);
  expect(pauses()).toEqual([1_000, 2_000, 5_000, 15_000, 15_000]);

  // Something has arrived: the next pause is short again. Too many requests are no refusal.
  received = 5;
  answer = async () => Response.json({ code: 1, message: 'Busy', data: null }, { status: 429 });
  await vi.advanceTimersByTimeAsync(16_000);
  expect(pauses().slice(5)).toEqual([15_000, 1_000]);

  answer = async () => new Response('<html>', { status: 403 });
  await vi.advanceTimersByTimeAsync(2_000);
  await refused;
  await expect(result).rejects.toBeInstanceOf(ApiProblem);
});
