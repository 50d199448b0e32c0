import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const sent: { version: string; reports: { id: string; message: string; count: number; stack: string | null }[] }[] = [];
let status = 200;

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  sent.length = 0;
  status = 200;
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('location', { pathname: '/manage/home' });
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    if (status === 200) sent.push(JSON.parse(body));
    return { ok: status === 200 };
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
