import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Log } from '../log.ts';
import { eventLoopStalls, watchStalls, workBegins } from './stall-watch.ts';

function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('a stall is counted and logged with what ran; a second one right after it is only counted', async () => {
  const lines: [values: object, text: string][] = [];
  const log = { warn: (values: object, text: string) => lines.push([values, text]) } as unknown as Log;
  const stop = watchStalls(log);
  const before = await counted();
  await pause(50);
  for (const name of ['GET /api/a', 'GET /api/b']) {
    workBegins('job', 'cleanup');
    workBegins('request', name);
    block(160);
    await pause(50);
  }
  stop();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject([
    { source: 'server', before: 'cleanup' },
    'the event loop was blocked during GET /api/a',
  ]);
  expect((await counted()) - before).toBe(2);
});

async function counted(): Promise<number> {
  const { values } = await eventLoopStalls.get();
  return values.find(({ labels }) => labels.work === 'request')?.value ?? 0;
}
