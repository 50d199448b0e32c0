import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OLDEST_SECONDS, type UnsentError } from './unsent-errors.ts';

interface Sent {
  version: string;
  reports: {
    id: string;
    message: string;
    count: number;
    stack: string | null;
    ago: number;
    session?: string | null;
  }[];
}

const sent: Sent[] = [];
/** null: the server cannot be reached */
let status: number | null = 200;
/** of all pages */
let listeners: Record<string, (() => void)[]> = {};
let beacons: unknown[] = [];
const stored = new Map<string, string>();
const browser = {
  onLine: true,
  locks: undefined as unknown,
  sendBeacon: (_: string, body: unknown) => beacons.push(body),
};
/** One lock for all pages, as in one browser. */
let isLocked = false;
const locks = {
  async request(_: string, __: object, work: (lock: object | null) => unknown) {
    if (isLocked) return await work(null);
    isLocked = true;
    try {
      return await work({});
    } finally {
      isLocked = false;
    }
  },
};

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  sent.length = 0;
  beacons = [];
  status = 200;
  listeners = {};
  stored.clear();
  isLocked = false;
  Object.assign(browser, { onLine: true, locks });
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
    listeners[name] = [...(listeners[name] ?? []), listener];
  });
  vi.stubGlobal('localStorage', {
    get length() {
      return stored.size;
    },
    key: (index: number) => [...stored.keys()][index] ?? null,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('location', { pathname: '/manage/home' });
  vi.stubGlobal('navigator', browser);
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (status === null) throw new TypeError('Failed to fetch');
    if (status === 200) sent.push(JSON.parse(body));
    return { ok: status === 200, status };
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A new page of the browser, with a user or without; undefined: not known yet. */
async function openPage(tokenId?: string | null) {
  vi.resetModules();
  const { session } = await import('../../session/session.ts');
  if (tokenId === null) session.set({ status: 'anonymous' });
  else if (tokenId !== undefined) session.set({ status: 'signedIn', info: { tokenId }, user: {} } as never);
  return (await import('./error-reports.ts')).reportError;
}
function closePages(): void {
  for (const listener of listeners.pagehide ?? []) listener();
  listeners = {};
  vi.clearAllTimers();
}
const reports = () => sent.flatMap((one) => one.reports);

test('an error is sent once, and its repetitions as a number', async () => {
  const reportError = await openPage();
  const error = new TypeError('x 1 is\u0007 undefined');
  const id = reportError('error', error);
  for (let n = 0; n < 10_000; n += 1) expect(reportError('error', error)).toBe(id);
  await vi.advanceTimersByTimeAsync(1_050);
  expect(sent).toMatchObject([{ reports: [{ id, message: 'x 1 is  undefined', count: 10_001, name: 'TypeError' }] }]);
  reportError('error', error);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(51);
  expect(sent[1]).toMatchObject({ reports: [{ id, count: 1 }] });
  expect(stored.size).toBe(0);
});

test('refused reports are sent later, with what was added; a value that cannot be read is no error', async () => {
  const reportError = await openPage();
  status = 429;
  reportError('rejection', 'lost');
  await vi.advanceTimersByTimeAsync(1_050);
  reportError('rejection', 'lost');
  status = 200;
  await vi.advanceTimersByTimeAsync(2_050);
  expect(sent).toMatchObject([{ reports: [{ message: 'lost', count: 2 }] }]);
  expect(reportError('error', Object.create(null))).toBeNull();
});

test('a page that throws ever new errors sends a limited number', async () => {
  const reportError = await openPage();
  for (let n = 0; n < 1_000; n += 1) reportError('error', new Error(`cause ${'x'.repeat(n)}`));
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(reports()).toHaveLength(50);
  expect(sent.every((one) => one.reports.length <= 10)).toBe(true);
});

test('an error is kept that is without response for long when its page is closed', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  (await openPage())('error', new Error('on the way'));
  await vi.advanceTimersByTimeAsync(5_000);
  for (const listener of listeners.pagehide ?? []) listener();
  expect(stored.size).toBe(0);
  await vi.advanceTimersByTimeAsync(2_000);
  closePages();
  expect([...stored.values()].map((text) => JSON.parse(text))).toMatchObject([
    { report: { message: 'on the way' }, count: 1 },
  ]);
});

test('a request is smaller than what a browser sends when its page is closed', async () => {
  const reportError = await openPage();
  for (let n = 0; n < 10; n += 1) {
    reportError('error', Object.assign(new Error(`cause ${'x'.repeat(n)}`), { stack: '堆'.repeat(8_000) }));
  }
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(reports()).toHaveLength(10);
  for (const one of sent) expect(new TextEncoder().encode(JSON.stringify(one)).length).toBeLessThan(65_536);
});

test('errors while the server cannot be reached are sent when it is back, with their age', async () => {
  const reportError = await openPage();
  status = null;
  const error = new Error('offline');
  reportError('error', error);
  // More tries than a page has requests.
  await vi.advanceTimersByTimeAsync(7_200_000);
  reportError('error', error);
  status = 502;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([sent, stored.size]).toEqual([[], 1]);
  status = 200;
  for (const listener of listeners.online ?? []) listener();
  await vi.advanceTimersByTimeAsync(50);
  expect(sent).toMatchObject([{ reports: [{ message: 'offline', count: 2, ago: 60 }] }]);
  expect(stored.size).toBe(0);
});

test.each([
  ['that is closed before it tries to send them', 0],
  ['that has tried', 10_000],
])('they survive the end of a page %s, a limited number, with their age', async (_, waited) => {
  const reportError = await openPage();
  status = null;
  browser.onLine = false;
  for (let n = 0; n < 40; n += 1) reportError('error', new Error(`cause ${'x'.repeat(n)}`));
  await vi.advanceTimersByTimeAsync(waited);
  closePages();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([sent, beacons]).toEqual([[], []]);
  status = 200;
  browser.onLine = true;
  await openPage();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reports()).toHaveLength(20);
  expect(reports().at(-1)).toMatchObject({ message: `cause ${'x'.repeat(39)}` });
  expect(reports()[0]!.ago).toBeGreaterThanOrEqual(60);
  expect(stored.size).toBe(0);
});

test.each([
  ['with Web Locks', locks],
  ['without', undefined],
])('exactly one of several tabs sends them (%s)', async (_, available) => {
  browser.locks = available;
  status = null;
  const pages = [await openPage('a'), await openPage('a')];
  for (const [tab, reportError] of pages.entries()) reportError('error', new Error(`of ${'tab '.repeat(tab + 1)}`));
  await vi.advanceTimersByTimeAsync(10_000);
  closePages();
  status = 200;
  for (let tab = 0; tab < 4; tab += 1) await openPage('a');
  await vi.advanceTimersByTimeAsync(120_000);
  expect(reports().map(({ message }) => message)).toEqual(['of tab ', 'of tab tab ']);
  expect(stored.size).toBe(0);
});

test('a tab that was closed while it sent them leaves them to the others', async () => {
  browser.locks = undefined;
  status = null;
  (await openPage())('error', new Error('kept'));
  await vi.advanceTimersByTimeAsync(3_200);
  expect(stored.size).toBe(2);
  closePages();
  status = 200;
  await openPage();
  await vi.advanceTimersByTimeAsync(180_000);
  expect(reports()).toMatchObject([{ message: 'kept' }]);
});

test('they keep the session in which they happened, and the version of their console', async () => {
  status = null;
  for (const tokenId of ['of-ada', null, undefined]) {
    (await openPage(tokenId))('error', new Error(`happened to ${'x'.repeat(stored.size)}`));
    await vi.advanceTimersByTimeAsync(1_100);
    closePages();
  }
  for (const [key, text] of stored) stored.set(key, JSON.stringify({ ...JSON.parse(text), version: '1.0.0' }));
  status = 200;
  (await openPage('of-bob'))('error', new Error('happened to Bob'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent.map(({ version }) => version)).toEqual(['', '1.0.0']);
  expect(reports().map(({ session }) => session)).toEqual(['of-bob', 'of-ada', null, null]);
});

test('what is stored contains no secrets, and is removed when it is old or cannot be read', async () => {
  status = null;
  (await openPage())('error', new Error('password=Secret.1 for ada@example.org'));
  await vi.advanceTimersByTimeAsync(1_050);
  closePages();
  const [[key, text]] = [...stored] as [[string, string]];
  expect(text).not.toMatch(/Secret|ada@/);
  const error: UnsentError = JSON.parse(text);
  stored.set(`${key}-broken`, '{"report":');
  stored.set(`${key}-other`, text);
  stored.set('chargehand.theme', 'dark');
  stored.set(key, JSON.stringify({ ...error, at: Date.now() - OLDEST_SECONDS * 1_000 }));
  status = 200;
  await openPage();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([sent, [...stored.keys()]]).toEqual([[], ['chargehand.theme']]);
});

test('without storage, they wait in the page', async () => {
  const reportError = await openPage();
  vi.stubGlobal('localStorage', {
    length: 0,
    getItem: () => null,
    setItem() {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  status = null;
  reportError('error', new Error('kept'));
  await vi.advanceTimersByTimeAsync(60_000);
  status = 200;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reports()).toMatchObject([{ message: 'kept', count: 1 }]);
});

test('what the server does not understand is not sent again', async () => {
  status = null;
  (await openPage())('error', new Error('kept'));
  await vi.advanceTimersByTimeAsync(1_050);
  status = 400;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([sent, stored.size]).toEqual([[], 0]);
});
