import type { MessageRow } from '@chargehand/contract';
import { MESSAGE_POLL_MS } from '@chargehand/contract/constants';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { rowWith, sees } from '../../../testing/on-screen.ts';
import { sampleList } from '../../../testing/sample.ts';
import { atEnd } from '../../../testing/show.tsx';
import { showConsole } from '../../../testing/show-console.tsx';

const FAULT: Partial<MessageRow> = {
  ...{ id: 5, type: 'fault', level: 'CA', subject: { kind: 'alarm', id: '31' }, data: { code: 'GroundFailure' } },
  ...{ siteId: 4, siteName: 'North quay', customerName: 'North', deviceCount: 1, devices: [{ id: 7, name: 'Pile 7' }] },
};

/** A stream that cannot be opened. */
class DeadStream extends EventTarget {
  readonly readyState = 0;

  constructor() {
    super();
    queueMicrotask(() => this.dispatchEvent(new Event('error')));
  }

  close() {
    // never opens
  }
}

/** Shortens the interval between fetches of messages to 0.2 s, and tells how many of them are running. */
function shortIntervals(): () => number {
  const { setInterval, clearInterval } = globalThis;
  const running = new Set<unknown>();
  globalThis.setInterval = ((run: () => void, ms: number) => {
    const id = setInterval(run, ms === MESSAGE_POLL_MS ? 200 : ms);
    if (ms === MESSAGE_POLL_MS) running.add(id);
    return id;
  }) as typeof setInterval;
  globalThis.clearInterval = ((id: number) => {
    running.delete(id);
    clearInterval(id);
  }) as typeof clearInterval;
  atEnd(() => Object.assign(globalThis, { setInterval, clearInterval }));
  return () => running.size;
}

test('messages are fetched every 15 seconds while the live stream is down, and no longer when it is back', async () => {
  const running = shortIntervals();
  let arrived = false;
  const { t, server, stream } = await showConsole('/manage/message/list', {
    answers: {
      countInbox: () => ({ unread: arrived ? 1 : 0, untreated: 0 }),
      listInbox: () => sampleList('listInbox', arrived ? [FAULT] : []),
    },
  });
  await sees(t('common:live.on'), t('messages:empty'));
  expect(MESSAGE_POLL_MS).toBe(15_000);
  // Other parts of the console have intervals of this length, too.
  const idle = running();

  const open = globalThis.EventSource;
  globalThis.EventSource = DeadStream as never;
  stream('error');
  const fetched = () => Math.min(server.sent('countInbox').length, server.sent('listInbox').length);
  const before = fetched();
  await expect.poll(running).toBeGreaterThan(idle);
  await expect.poll(fetched).toBeGreaterThan(before + 3);
  arrived = true;
  await sees(rowWith('North quay'));
  await sees(
    page.getByRole('button', { name: t('common:shell.counted', { title: t('common:shell.bell'), count: 1 }) }),
  );

  globalThis.EventSource = open;
  await sees(t('common:live.on'));
  await expect.poll(running).toBe(idle);
});
