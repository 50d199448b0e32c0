import { afterEach, beforeEach, expect, test, vi } from 'vitest';

interface Sent {
  version: string;
  reports: { id: string; message: string; count: number; stack: string | null; ago: number }[];
}

const sent: Sent[] = [];
/** null: the server cannot be reached */
let status: number | null = 200;
let listeners: Record<string, () => void> = {};
const stored = new Map<string, string>();

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  sent.length = 0;
  status = 200;
  listeners = {};
  stored.clear();
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
    listeners[name] = listener;
  });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('location', { pathname: '/manage/home' });
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    if (status === null) throw new TypeError('Failed to fetch');
    if (status === 200) sent.push(JSON.parse(body));
    return { ok: status === 200, status };
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('an error is sent once, and its repetitions as a number', async () => {
  const { reportError } = await import('./error-reports.ts');
  const error = new TypeError('x 1 is\u0007 undefined');
  const id = reportError('error', error);
  for (let n = 0; n < 10_000; n += 1) expect(reportError('error', error)).toBe(id);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toMatchObject([{ reports: [{ id, message: 'x 1 is  undefined', count: 10_001, name: 'TypeError' }] }]);
  reportError('error', error);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent[1]).toMatchObject({ reports: [{ id, count: 1 }] });
});

test('refused reports are sent later, with what was added; a value that cannot be read is no error', async () => {
  const { reportError } = await import('./error-reports.ts');
  status = 429;
  reportError('rejection', 'lost');
  await vi.advanceTimersByTimeAsync(1_000);
  reportError('rejection', 'lost');
  status = 200;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sent).toMatchObject([{ reports: [{ message: 'lost', count: 2 }] }]);
  expect(reportError('error', Object.create(null))).toBeNull();
});

test('a page that throws ever new errors sends a limited number', async () => {
  const { reportError } = await import('./error-reports.ts');
  for (let n = 0; n < 1_000; n += 1) reportError('error', new Error(`cause ${'x'.repeat(n)}`));
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(sent.flatMap(({ reports }) => reports)).toHaveLength(50);
  expect(sent.every(({ reports }) => reports.length <= 10)).toBe(true);
});

test('errors while the server cannot be reached are sent when it is back, with their age', async () => {
  const { reportError } = await import('./error-reports.ts');
  status = null;
  reportError('error', new Error('offline'));
  // More tries than a page has requests.
  await vi.advanceTimersByTimeAsync(7_200_000);
  status = 502;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([sent, stored.size]).toEqual([[], 1]);
  status = 200;
  listeners.online?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toMatchObject([{ reports: [{ message: 'offline', count: 1, ago: 7_260 }] }]);
  expect(stored.size).toBe(0);
});

test('they survive a reload of the page, a limited number', async () => {
  const { reportError } = await import('./error-reports.ts');
  status = null;
  for (let n = 0; n < 40; n += 1) reportError('error', new Error(`cause ${'x'.repeat(n)}`));
  await vi.advanceTimersByTimeAsync(1_000);
  listeners.pagehide?.();
  vi.clearAllTimers();
  vi.resetModules();
  status = 200;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([]);
  await import('./error-reports.ts');
  await vi.advanceTimersByTimeAsync(60_000);
  const reports = sent.flatMap((one) => one.reports);
  expect(reports).toHaveLength(20);
  expect(reports.at(-1)).toMatchObject({ message: `cause ${'x'.repeat(39)}` });
  expect(reports[0]!.ago).toBeGreaterThanOrEqual(60);
});
